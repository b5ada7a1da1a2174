"""The validations of one environment, the newest first."""

from collections.abc import Sequence
from itertools import zip_longest

from dashboard import links
from dashboard.panels.number import number
from dashboard.panels.when import moment
from dashboard.signs import VERDICTS, badge
from reports.markup import Markup, element
from reports.tracking.read import Row

COLUMNS = ("validated", "verdict", "signal", "floor", "ceiling", "environment", "made by")


def history(rows: Sequence[Row], shown: str) -> Markup:
    """Return a table of runs, in which the run `shown` is marked."""
    head = element("tr", *(element("th", name, scope="col") for name in COLUMNS))
    body = (_run(row, before, shown) for row, before in zip_longest(rows, rows[1:]))
    return element(
        "table", element("thead", head), element("tbody", *body), class_="ea-measured ea-history"
    )


def _run(row: Row, before: Row | None, shown: str) -> Markup:
    found = row.standing
    when = moment(found.validated_at)
    current = row.run_id == shown
    cells = (
        element("b", when, " (shown)") if current else
        element("a", when, href=links.environment(row.run_id)),
        badge(VERDICTS[found.verdict]),
        number(found.headline.get("signal")),
        number(found.headline.get("floor")),
        number(found.headline.get("ceiling")),
        element("span", _change(row, before), class_="ea-small"),
        element("span", f"envassay {found.tool_version}, policy {found.policy}", class_="ea-small"),
    )  # fmt: skip
    return element(
        "tr",
        *(element("td", cell, data_label=name) for name, cell in zip(COLUMNS, cells, strict=True)),
        aria_current="true" if current else None,
    )


def _change(row: Row, before: Row | None) -> str:
    if before is None:
        return "first seen"
    same = row.standing.fingerprint == before.standing.fingerprint
    return "unchanged" if same else "changed: another schema, tool or task set"
