"""Static plots, as SVG that a page holds: the same figures as in the dashboard.

Colours come from the style sheet of the page, so that they follow light and dark; every text of
a stranger is escaped by `reports.markup`.
"""

from collections.abc import Iterable, Sequence

from reports import numbers
from reports.markup import Markup, element, text
from reports.model import GroupSignal, Learning, LoadPoint, Measure, Replays, ScoreCount, TaskRow
from reports.safe import plain
from reports.writers.strip import along, scale

WIDTH = 720
LEFT = 190
"""Room for the names of rows."""
RIGHT = 24
ROW = 26
MOST_COLUMNS = 24
SHADES = 5


def intervals(rows: Sequence[tuple[str, Measure]], title: str) -> Markup:
    """Return estimates with their intervals, one under the other on one scale."""
    ends = scale([measure for _, measure in rows]) or (0.0, 1.0)
    most = WIDTH - LEFT - RIGHT - 210
    parts = []
    for number, (name, measure) in enumerate(rows):
        y = ROW * number + 16
        parts.append(_name(name, y))
        parts.append(_line(LEFT, y, LEFT + most, y, "rail"))
        if measure.low is not None and measure.high is not None:
            low, high = (LEFT + most * along(end, ends) for end in (measure.low, measure.high))
            parts.append(_line(low, y, high, y, "span"))
        if measure.estimate is not None:
            parts.append(_dot(LEFT + most * along(measure.estimate, ends), y, 4.5))
        parts.append(_text(LEFT + most + 14, y + 4, numbers.full(measure), "value"))
    bottom = ROW * len(rows) + 8
    parts += _scale(ends, LEFT, most, bottom, title)
    return _figure(parts, bottom + 40, title)


def signal(found: Sequence[GroupSignal]) -> Markup:
    """Return the training signal by size of group."""
    rows = [(f"groups of {one.group_size}", one.signal) for one in found]
    return intervals(rows, "share of groups that teach")


def throughput(found: Sequence[LoadPoint]) -> Markup:
    """Return steps a second of all sessions together, by how many there are."""
    rows = [(_at_once(one), one.steps_per_second.model_copy(update={"unit": ""})) for one in found]
    return intervals(rows, "steps per second")


def latency(found: Sequence[LoadPoint]) -> Markup:
    """Return how long a step takes in the median, by how many sessions there are."""
    rows = [(_at_once(one), _in_milliseconds(one.step_p50)) for one in found]
    return intervals(rows, "milliseconds a step, median")


def _in_milliseconds(found: Measure) -> Measure:
    ends = {name: getattr(found, name) for name in ("estimate", "low", "high")}
    shown = {name: None if end is None else end * 1000 for name, end in ends.items()}
    return found.model_copy(update=shown | {"unit": "ms"})


def _at_once(one: LoadPoint) -> str:
    return numbers.count(one.sessions, "sessions") + (" at once" if one.sessions > 1 else "")


def scores(found: Sequence[ScoreCount], probes: Sequence[str]) -> Markup:
    """Return a row of circles for each probe: the area is the number of episodes."""
    most = max(one.episodes for one in found)
    ends = scale([Measure(estimate=one.score) for one in found]) or (0.0, 1.0)
    width = WIDTH - LEFT - RIGHT
    parts = []
    for number, probe in enumerate(probes):
        y = ROW * number + 16
        parts += [_name(probe, y), _line(LEFT, y, LEFT + width, y, "rail")]
        for one in (one for one in found if one.probe == probe):
            radius = 2 + 9 * (one.episodes / most) ** 0.5
            parts.append(_dot(LEFT + width * along(one.score, ends), y, radius, f"{one.episodes}"))
    bottom = ROW * len(probes) + 8
    parts += _scale(ends, LEFT, width, bottom, f"score; largest circle: {most} episodes")
    return _figure(parts, bottom + 40, "Scores by probe")


def tasks(rows: Sequence[TaskRow], probes: Sequence[str]) -> Markup:
    """Return the mean score by task and probe, a shaded cell with its number for each."""
    shown = list(dict.fromkeys(row.task for row in rows))[:MOST_COLUMNS]
    cells = {(row.task, row.probe): row.mean_score for row in rows}
    ends = scale(list(cells.values())) or (0.0, 1.0)
    width = (WIDTH - LEFT - RIGHT) / max(1, len(shown))
    parts = []
    for line, probe in enumerate(probes):
        parts.append(_name(probe, 22 * line + 12))
        for column, task in enumerate(shown):
            found = cells.get((task, probe))
            x, y = LEFT + width * column, 22 * line
            known = found is not None and found.estimate is not None
            if found is None or found.estimate is None:
                kind, written = "empty", "" if found is None else numbers.NOTHING
            else:
                kind = f"shade-{round(along(found.estimate, ends) * (SHADES - 1))}"
                written = f"{found.estimate:.2g}"
            parts.append(_cell(x, y, width, kind))
            parts.append(_text(x + width / 2, y + 14, written, f"on {kind}" if known else "on"))
    bottom = 22 * len(probes)
    parts += [
        _turned(LEFT + width * (column + 0.5), bottom + 12, task)
        for column, task in enumerate(shown)
    ]
    return _figure(parts, bottom + 84, "Mean score by task and probe")


def replays(found: Sequence[Replays]) -> Markup:
    """Return which exact repetitions agreed, a signed cell for each start and condition."""
    starts = list(dict.fromkeys(one.start for one in found))[:MOST_COLUMNS]
    conditions = list(dict.fromkeys(one.condition for one in found))
    width = min(90.0, (WIDTH - LEFT - RIGHT) / max(1, len(starts)))
    parts = [_name(condition, ROW * line + 12) for line, condition in enumerate(conditions)]
    for one in (one for one in found if one.start in starts):
        agrees = one.agreed == one.replays
        x, y = LEFT + width * starts.index(one.start), ROW * conditions.index(one.condition)
        parts.append(_cell(x, y, width, "agrees" if agrees else "differs"))
        sign = f"{'✓' if agrees else '✕'} {one.agreed}/{one.replays}"
        parts.append(_text(x + width / 2, y + 15, sign, "on"))
    bottom = ROW * len(conditions)
    parts += [
        _turned(LEFT + width * (column + 0.5), bottom + 12, start)
        for column, start in enumerate(starts)
    ]
    return _figure(parts, bottom + 84, "Exact repetitions that agreed")


def curve(found: Learning) -> Markup:
    """Return a learner's mean score against the episodes it had learned from."""
    ends = scale([Measure(estimate=score) for _, score in found.curve]) or (0.0, 1.0)
    last = max(1, found.curve[-1][0])
    width, height = WIDTH - LEFT - RIGHT, 160
    points = [
        (LEFT + width * episodes / last, height - (height - 12) * along(score, ends))
        for episodes, score in found.curve
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [
        _text(LEFT - 8, 16, numbers.number(ends[1]), "end"),
        _text(LEFT - 8, height, numbers.number(ends[0]), "end"),
        element("polyline", points=path, class_="curve"),
        *(_dot(x, y, 3.5) for x, y in points),
        *_scale((0.0, float(last)), LEFT, width, height + 4, "episodes learned from"),
    ]
    return _figure(parts, height + 44, "Learning curve: mean score since the last point")


def _figure(parts: Iterable[str], height: float, title: str) -> Markup:
    drawn = element(
        "svg",
        element("title", title),
        *parts,
        viewBox=f"0 0 {WIDTH} {height:.0f}",
        role="img",
        aria_label=title,
        class_="plot",
    )
    return element("div", drawn, class_="wide", tabindex="0", role="region", aria_label="Plot")


def _scale(
    ends: tuple[float, float], left: float, width: float, y: float, title: str
) -> list[Markup]:
    marks = [
        _text(left + width * part, y + 12, numbers.number(ends[0] + (ends[1] - ends[0]) * part),
              "mark")
        for part in (0.0, 0.5, 1.0)
    ]  # fmt: skip
    return [*marks, _text(left + width / 2, y + 28, title, "mark")]


def _name(name: str, y: float) -> Markup:
    return _text(LEFT - 10, y + 4, _cut(name, 28), "end")


def _cut(name: str, most: int) -> str:
    shown = plain(name, most)
    return shown if len(name) <= most else f"{shown[: most - 1]}…"


def _text(x: float, y: float, said: str, kind: str) -> Markup:
    return element("text", text(said, 80), x=f"{x:.1f}", y=f"{y:.1f}", class_=kind)


def _turned(x: float, y: float, said: str) -> Markup:
    place = f"translate({x:.1f} {y:.1f}) rotate(40)"
    return element("text", text(_cut(said, 16)), transform=place, class_="turned")


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> Markup:
    ends = {"x1": f"{x:.1f}", "y1": f"{y:.1f}", "x2": f"{to_x:.1f}", "y2": f"{to_y:.1f}"}
    return element("line", class_=kind, **ends)


def _dot(x: float, y: float, radius: float, said: str = "") -> Markup:
    inside = [element("title", said)] if said else []
    return element("circle", *inside, cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:.1f}", class_="dot")


def _cell(x: float, y: float, width: float, kind: str) -> Markup:
    return element(
        "rect", x=f"{x + 1:.1f}", y=f"{y + 1:.1f}", width=f"{width - 2:.1f}", height="20",
        rx="2", class_=kind,
    )  # fmt: skip
