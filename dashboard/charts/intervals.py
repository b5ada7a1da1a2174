"""Estimates with their intervals, one under the other on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from dashboard.charts.axes import QUIET
from dashboard.charts.ink import Ink
from reports import numbers
from reports.model import Measure
from reports.safe import plain
from reports.writers.strip import scale

LINE_PIXELS = 60
AXIS_PIXELS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the picture."""

    label: str
    note: str
    """What the label means, in a word or two."""
    measure: Measure


def intervals(lines: Sequence[Line], ink: Ink, *, title: str) -> alt.LayerChart:
    """Return a chart with a point, an interval and the written number on each line.

    What is undefined has neither point nor interval: its line says why. A share is always
    drawn on the whole of [0, 1].

    Args:
        lines: At least one, the first on top.
        ink: Colours of the page.
        title: Name of the axis, with the unit where there is one.
    """
    ends = scale([line.measure for line in lines]) or (0.0, 1.0)
    rows = [_row(place, line, ends) for place, line in enumerate(lines)]
    base = alt.Chart(pd.DataFrame(rows)).encode(
        y=alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[len(lines) - 0.65, -0.7], nice=False))
    )
    known = base.transform_filter("isValid(datum.estimate)")
    unknown = base.transform_filter("!isValid(datum.estimate)")
    whole = known.transform_filter("isValid(datum.low) && isValid(datum.high)")
    start, end = _along("start", ends, ink, title), "end:Q"
    layers = [
        known.mark_rule(color=ink.muted, opacity=0.35).encode(x=start, x2=end),
        unknown.mark_rule(color=ink.muted, opacity=0.6, strokeDash=[3, 4]).encode(x=start, x2=end),
        whole.mark_rule(strokeWidth=4, color=ink.data, opacity=0.7).encode(
            x=_along("low", ends, ink, title), x2="high:Q"
        ),
        *(
            known.transform_filter(f"isValid(datum.{side})")
            .mark_tick(thickness=3, size=14, color=ink.data)
            .encode(x=_along(side, ends, ink, title))
            for side in ("low", "high")
        ),
        known.mark_point(filled=True, size=120, opacity=1, color=ink.data).encode(
            x=_along("estimate", ends, ink, title)
        ),
        base.mark_text(align="left", dy=-33, fontSize=13, fontWeight=600, color=ink.text).encode(
            x=start, text="name:N"
        ),
        known.mark_text(align="left", dy=-17, fontSize=12, color=ink.text).encode(
            x=start, text="written:N"
        ),
        unknown.mark_text(
            align="left", dy=-17, fontSize=12, fontStyle="italic", color=ink.muted
        ).encode(x=start, text="written:N"),
    ]
    return alt.LayerChart(
        layer=layers,
        height=LINE_PIXELS * len(lines) + AXIS_PIXELS,
        config=QUIET,
        description=f"{title}: " + "; ".join(f"{row['name']}: {row['written']}" for row in rows),
    )


def _along(column: str, ends: tuple[float, float], ink: Ink, title: str) -> alt.X:
    return alt.X(
        f"{column}:Q",
        title=title,
        scale=alt.Scale(domain=list(ends), nice=False, zero=False),
        axis=alt.Axis(
            labelColor=ink.muted, titleColor=ink.muted, tickCount=5, labelFontSize=12,
            labelFlush=True, grid=False, domain=False, ticks=False,
        ),
    )  # fmt: skip


def _row(place: int, line: Line, ends: tuple[float, float]) -> dict[str, object]:
    found = line.measure
    return {
        "place": place,
        "name": ", ".join(filter(None, (plain(line.label, 24), plain(line.note, 26)))),
        "estimate": found.estimate,
        "low": found.low,
        "high": found.high,
        "written": plain(numbers.full(found, counted=True), 60),
        "start": ends[0],
        "end": ends[1],
    }
