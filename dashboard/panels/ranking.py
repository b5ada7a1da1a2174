"""The ranking as a table, or as cards where there is no room for one."""

from collections.abc import Iterable

from dashboard import links
from dashboard.markup import Markup, element, join, text
from dashboard.panels.number import number, strip
from dashboard.panels.run import facts
from dashboard.panels.when import moment
from dashboard.signs import FITS, VERDICTS, badge
from reports import numbers
from reports.standing import Standing
from reports.tracking.read import Row

COLUMNS = {
    "#": "Place: by verdict, then by the lower end of the signal's interval",
    "environment": "Name, address and time of its newest validation",
    "verdict": "What the policy makes of the checks",
    "signal": "Share of groups whose members earn different scores: what a group learns from",
    "floor to ceiling": "Best score without looking at the task, and the most there is to earn",
    "reachability": "Share of the most capable probe's episodes that succeed",
    "determinism": "Share of exact repetitions that gave the same episode",
    "sessions": "Sessions served at once, and whether a whole group could play",
    "cost": "What the validation spent",
}
"""Headers, and what they mean."""


NAME_CHARACTERS = 50


def ranking(places: Iterable[tuple[int, Row]]) -> Markup:
    """Return the table of rows with their places."""
    head = element(
        "tr", *(element("th", name, scope="col", title=why) for name, why in COLUMNS.items())
    )
    bodies = (_environment(place, row) for place, row in places)
    widths = element(
        "colgroup", *(element("col", class_=f"ea-col-{_word(name)}") for name in COLUMNS)
    )
    return element("table", widths, element("thead", head), *bodies, class_="ea-ranking")


def meaning() -> Markup:
    """Return what the columns mean, closed until it is asked for."""
    return element(
        "details",
        element("summary", "What the columns mean"),
        facts(COLUMNS),
        class_="ea-small",
    )


def _environment(place: int, row: Row) -> Markup:
    found = row.standing
    cells = {
        "#": element("span", f"{place}", class_="ea-place"),
        "environment": _name(row),
        "verdict": badge(VERDICTS[found.verdict]),
        "signal": number(found.headline.get("signal"), drawn=True),
        "floor to ceiling": _band(found),
        "reachability": number(found.headline.get("reachability")),
        "determinism": number(found.headline.get("determinism")),
        "sessions": _sessions(found),
        "cost": _cost(found),
    }
    shown = (
        element("td", cell, data_label=name, class_=f"ea-cell-{_word(name)}")
        for name, cell in cells.items()
    )
    why = element(
        "td",
        element("p", element("b", "Why "), found.reason or "no reason given"),
        element("p", element("b", "Next "), found.advice or "nothing is known"),
        colspan=len(COLUMNS) - 1,
    )
    return element(
        "tbody",
        element("tr", *shown),
        element("tr", element("td", class_="ea-gap"), why, class_="ea-why"),
        class_=f"ea-row ea-edge-{VERDICTS[found.verdict].tone}",
    )


def _word(name: str) -> str:
    return name.split()[0].replace("#", "place")


def _name(row: Row) -> Markup:
    found = row.standing
    name = element(
        "a", text(found.name or "unnamed", NAME_CHARACTERS), href=links.environment(row.run_id)
    )
    return join(
        [
            element("span", name, class_="ea-name"),
            element("span", found.url, class_="ea-small ea-url"),
            element("span", moment(found.validated_at), class_="ea-small"),
        ]
    )


def _band(found: Standing) -> Markup:
    ends = {
        name: measure
        for name in ("floor", "ceiling")
        if (measure := found.headline.get(name)) is not None
    }
    rows = (
        element("span", element("span", f"{name} ", class_="ea-key"), _end(found, name))
        for name in ("floor", "ceiling")
    )
    return join([strip(ends), element("span", *rows, class_="ea-band")])


def _end(found: Standing, name: str) -> Markup:
    measure = found.headline.get(name)
    if measure is None or measure.estimate is None:
        return element("span", "not measured", class_="ea-undefined")
    written = numbers.parts(measure)
    size = written.size or measure.method
    return join(
        [
            element("b", written.estimate),
            " ",
            element("span", " ".join(filter(None, (written.interval, size))), class_="ea-small"),
        ]
    )


def _sessions(found: Standing) -> Markup:
    return join(
        [
            element("span", f"{found.sessions_served} at once", class_="ea-line"),
            badge(FITS[found.serves_group]),
            element("span", f"groups of {found.group_size}", class_="ea-small"),
        ]
    )


def _cost(found: Standing) -> Markup:
    return join(
        [
            element("span", numbers.seconds(found.seconds), class_="ea-line"),
            element("span", numbers.count(found.episodes, "episodes"), class_="ea-small"),
            element("span", numbers.count(found.steps, "steps"), class_="ea-small"),
        ]
    )
