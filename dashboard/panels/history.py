"""The validations of one environment, the newest first, each with what changed."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from dashboard import links
from dashboard.panels.number import number
from dashboard.signs import PASSED, UNDECIDED, VERDICTS, Sign, badge, sign_of
from reports import numbers
from reports.compare import Changes, Moved
from reports.markup import Markup, element, join, text
from reports.model import CheckResult
from reports.tracking.read import Row
from reports.when import moment

COLUMNS = ("validated", "verdict", "signal", "floor", "ceiling", "made by")
MOST_NAMED = 8
"""Checks of one kind of change that are named; the others are counted."""
OTHER = "another schema, tools or tasks"


def history(rows: Sequence[Row], shown: str, told: Mapping[str, Changes]) -> Markup:
    """Return a table of runs.

    Args:
        rows: The runs, the newest first.
        shown: The run whose page this is; it is marked.
        told: By run, what changed since the one before it, as far as both reports were read.
    """
    head = element("tr", *(element("th", name, scope="col") for name in COLUMNS))
    body = (
        part
        for row, before in zip_longest(rows, rows[1:])
        for part in (_run(row, shown), _changed(row, before, told.get(row.run_id)))
    )
    return element(
        "table", element("thead", head), element("tbody", *body), class_="ea-measured ea-history"
    )


def _run(row: Row, shown: str) -> Markup:
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
        element("span", f"envassay {found.tool_version}, policy {found.policy}", class_="ea-small"),
    )  # fmt: skip
    return element(
        "tr",
        *(element("td", cell, data_label=name) for name, cell in zip(COLUMNS, cells, strict=True)),
        aria_current="true" if current else None,
        class_="ea-past",
    )


def _changed(row: Row, before: Row | None, found: Changes | None) -> Markup:
    if before is None:
        said = element("p", "The first validation.", class_="ea-small")
    elif found is None:
        same = row.standing.fingerprint == before.standing.fingerprint
        what = "says the same of itself" if same else f"changed: {OTHER}"
        said = element("p", f"Environment: {what}. Checks were not compared.", class_="ea-small")
    elif found.nothing:
        said = element("p", "Nothing changed since the one before.", class_="ea-small")
    else:
        where = element("a", "beside each other", href=links.compare(before.run_id, row.run_id))
        said = join([element("p", "Since the one before (", where, "):"), _list(found)])
    return element("tr", element("td", said, colspan=len(COLUMNS)), class_="ea-change")


def _list(found: Changes) -> Markup:
    lines = [
        *_answers("now", found.new, [sign_of(result) for result in found.new]),
        *_answers("fixed", found.fixed, [PASSED] * len(found.fixed), reasons=False),
        *_answers("now", found.unsettled, [UNDECIDED] * len(found.unsettled)),
        *_answers("decided", found.settled, [PASSED] * len(found.settled), reasons=False),
        *map(_moved, found.moved),
    ]
    for name, said in (("Environment", found.environment), ("Validation", found.told)):
        if said:
            lines.append(element("li", f"{name}: ", text("; ".join(said), 400)))
    return element("ul", *lines)


def _answers(
    word: str, results: Sequence[CheckResult], signs: Sequence[Sign], *, reasons: bool = True
) -> Iterable[Markup]:
    for sign, result in zip(signs[:MOST_NAMED], results, strict=False):
        why = element("span", text(result.reason, 200), class_="ea-small") if reasons else ""
        yield element("li", word, " ", badge(sign), " ", element("code", result.id), " ", why)
    left = len(results) - MOST_NAMED
    if left > 0:
        yield element("li", f"{word}: {left} more")


def _moved(one: Moved) -> Markup:
    how = "" if one.surely else " (the intervals overlap)"
    return element(
        "li",
        f"{one.name.replace('_', ' ')} {numbers.short(one.then)} → {numbers.short(one.now)}{how}",
    )
