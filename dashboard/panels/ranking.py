"""The ranking as a table, or as cards where there is no room for one."""

from collections.abc import Iterable, Sequence

from dashboard import links
from dashboard.links import Filter
from dashboard.panels.number import number, strip
from dashboard.panels.run import facts
from dashboard.signs import FITS, VERDICTS, badge
from reports import numbers
from reports.markup import Markup, element, join, text
from reports.model import Measure
from reports.standing import PER_HOUR, VALUE, Standing
from reports.tracking.entry import Past
from reports.tracking.read import Row
from reports.when import moment
from reports.writers.strip import along, scale

COLUMNS = {
    "#": "Place: by verdict, then by the lower end of the interval of what training gains",
    "environment": "Name, address and time of its newest validation",
    "verdict": "What the policy makes of the checks",
    "training value": "Share of what there is to earn that training is expected to gain, where a "
    "learner was among the probes; else the training signal, the share of groups whose members "
    "earn different scores. Below it, how many such groups one session plays in an hour of the "
    "environment's time",
    "floor, ladder, ceiling": "Mean score of the best that does not look (▼), of the best probe of "
    "each rung (●), and the most there is to earn (▲), on one scale",
    "solvability": "Share of the most capable probe's episodes that succeed; reports call it "
    "reachability",
    "determinism": "Share of exact repetitions that gave the same episode",
    "sessions": "Sessions served at once, and whether a whole group could play",
    "trend": "The signal over its last validations, the newest on the right, and the cost of the "
    "newest",
}
"""Headers, and what they mean."""

NAME_CHARACTERS = 50
MOST_TAGS, TAG_CHARACTERS = 6, 24


def ranking(
    places: Iterable[tuple[int, Row, Sequence[Past]]], chosen: Filter | None = None
) -> Markup:
    """Return the table of rows with their places and trends."""
    head = element(
        "tr", *(element("th", name, scope="col", title=why) for name, why in COLUMNS.items())
    )
    bodies = (_environment(*found, chosen or Filter()) for found in places)
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


def leaves(chosen: Filter, count: int) -> Markup:
    """Return links to the parts of a long table."""
    if count < 2:
        return text("")
    near = {1, count, *range(chosen.leaf - 2, chosen.leaf + 3)} & set(range(1, count + 1))
    cells = [
        element("b", f"{leaf}", aria_current="page")
        if leaf == chosen.leaf
        else element("a", f"{leaf}", href=links.ranking(chosen, leaf=leaf), target="_self")
        for leaf in sorted(near)
    ]
    return element("nav", "Page ", join(cells, " "), class_="ea-leaves", aria_label="Pages")


def _environment(place: int, row: Row, trend: Sequence[Past], chosen: Filter) -> Markup:
    found = row.standing
    cells = {
        "#": element("span", f"{place}", class_="ea-place"),
        "environment": _name(row, chosen),
        "verdict": badge(VERDICTS[found.verdict]),
        "training value": _value(found),
        "floor, ladder, ceiling": _band(found),
        "solvability": number(found.headline.get("reachability")),
        "determinism": number(found.headline.get("determinism")),
        "sessions": _sessions(found),
        "trend": join([_trend(trend), _cost(found)]),
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
    return name.split()[0].strip(",").replace("#", "place")


def _name(row: Row, chosen: Filter) -> Markup:
    found = row.standing
    shown = text(found.name or "unnamed", NAME_CHARACTERS)
    name = element("a", shown, href=links.environment(row.run_id), target="_self")
    return join(
        [
            element("span", name, class_="ea-name"),
            element("span", found.url, class_="ea-small ea-url"),
            element("span", moment(found.validated_at), class_="ea-small"),
            _tags(found.tags, chosen),
            element("span", _pick(row, chosen), class_="ea-small"),
        ]
    )


def _tags(tags: Sequence[str], chosen: Filter) -> Markup:
    """Return the tags, each a link to all that have it."""
    shown = [
        element(
            "a",
            text(tag, TAG_CHARACTERS),
            href=links.ranking(chosen, tag="" if tag == chosen.tag else tag, leaf=1),
            target="_self",
            class_="ea-tag",
            aria_current="true" if tag == chosen.tag else None,
        )
        for tag in tags[:MOST_TAGS]
    ]
    return element("span", join(shown, " "), class_="ea-small") if shown else text("")


def _pick(row: Row, chosen: Filter) -> Markup:
    """Return the link that chooses a row for a comparison, or takes the choice back."""
    if row.run_id in chosen.picked:
        left = tuple(run for run in chosen.picked if run != row.run_id)
        return element(
            "a", "✓ chosen to compare", href=links.ranking(chosen, picked=left), target="_self"
        )
    picked = (*chosen.picked, row.run_id)[-links.MOST_PICKED :]
    label = f"Compare {row.standing.name or 'unnamed'}"
    where = links.ranking(chosen, picked=picked)
    if len(picked) == links.MOST_PICKED:
        where = links.compare(*picked)
        return element("a", "compare with the chosen", href=where, target="_self", aria_label=label)
    return element("a", "compare", href=where, target="_self", aria_label=label)


def _value(found: Standing) -> Markup:
    value = found.headline.get(VALUE)
    gained = None if value is None or value.estimate is None else value
    name = "expected gain" if gained is not None else "training signal"
    per_hour = found.headline.get(PER_HOUR)
    rate = (
        ""
        if per_hour is None or per_hour.estimate is None
        else element("span", f"a session: {numbers.short(per_hour)}", class_="ea-small")
    )
    return join(
        [
            element("span", name, class_="ea-small"),
            number(gained or found.headline.get("signal"), drawn=True),
            rate,
        ]
    )


def _band(found: Standing) -> Markup:
    known = {
        name: measure
        for name in ("floor", "ceiling")
        if (measure := found.headline.get(name)) is not None
    }
    rungs = {
        f"rung ea-rung-{place}": step.score
        for place, step in enumerate(found.ladder)
        if step.rung not in ("null", "panel")
    }
    rows = (
        element("span", element("span", f"{name} ", class_="ea-key"), _end(found, name))
        for name in ("floor", "ceiling")
    )
    climbed = [
        f"{step.rung} {numbers.number(step.score.estimate, 2)}"
        for step in found.ladder
        if step.rung not in ("null", "panel")
    ]
    said = f"best of each rung: {', '.join(climbed)}" if climbed else ""
    return join(
        [
            strip({**rungs, **known}),
            element("span", *rows, class_="ea-band"),
            element("span", said, class_="ea-small") if said else "",
        ]
    )


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


def _trend(trend: Sequence[Past]) -> Markup:
    """Return a small picture of past signals, and the same in words."""
    known = [past for past in trend if past.signal is not None]
    if len(trend) < 2:
        return element("span", "first validation", class_="ea-small")
    if not known:
        return element("span", f"{len(trend)} validations, none measured", class_="ea-small")
    measures = [Measure(estimate=past.signal, low=past.low, high=past.high) for past in known]
    ends = scale(measures) or (0.0, 1.0)
    bars = []
    for place, past in enumerate(known):
        left = 100 * place / max(1, len(known) - 1)
        if past.low is not None and past.high is not None:
            low, high = along(past.low, ends), along(past.high, ends)
            where = f"left: {left:.1f}%; bottom: {low:.0%}; height: {high - low:.0%}"
            bars.append(element("i", style=where))
        assert past.signal is not None
        where = f"left: {left:.1f}%; bottom: {along(past.signal, ends):.0%}"
        bars.append(element("b", style=where, class_=f"ea-dot-{past.verdict}"))
    first, last = measures[0], measures[-1]
    words = f"{numbers.number(first.estimate, 2)} → {numbers.number(last.estimate, 2)}"
    verdicts = [past.verdict for past in trend]
    changed = "" if verdicts[-1] == verdicts[-2] else f", was {verdicts[-2]}"
    return join(
        [
            element("span", *bars, class_="ea-trend", aria_hidden="true"),
            element("span", f"{words} in {len(trend)} runs{changed}", class_="ea-small"),
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
    spent = (
        f"cost {numbers.seconds(found.seconds)}, {numbers.count(found.episodes, 'episodes')}, "
        f"{numbers.count(found.steps, 'steps')}"
    )
    return element("span", spent, class_="ea-small")
