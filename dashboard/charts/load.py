"""Throughput and latency against the sessions that played at once."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from dashboard.charts.axes import QUIET, axis
from dashboard.charts.ink import Ink
from reports import numbers
from reports.model import LoadPoint, Measure
from reports.safe import plain

PIXELS = 220
DASHES = {"median": [1, 0], "95% are within": [5, 4]}
"""How the line of each quantile is drawn: told apart without colour."""


def throughput(found: Sequence[LoadPoint], ink: Ink) -> alt.LayerChart:
    """Return steps a second of all sessions together, with intervals."""
    rows = [_row(one, "all together", one.steps_per_second) for one in found]
    return _curve(rows, ink, "steps per second", "Throughput by sessions at once")


def latency(found: Sequence[LoadPoint], ink: Ink) -> alt.LayerChart:
    """Return how long a step takes, in milliseconds: the median and the slowest, with intervals."""
    rows = [
        _row(one, name, measure, scale=1000.0)
        for one in found
        for name, measure in zip(DASHES, (one.step_p50, one.step_p95), strict=True)
    ]
    return _curve(rows, ink, "milliseconds a step", "Latency by sessions at once", legend=True)


def _row(one: LoadPoint, name: str, measure: Measure, scale: float = 1.0) -> dict[str, object]:
    def scaled(value: float | None) -> float | None:
        return None if value is None else value * scale

    return {
        "sessions": f"{one.sessions}",
        "what": name,
        "estimate": scaled(measure.estimate),
        "low": scaled(measure.low),
        "high": scaled(measure.high),
        "written": plain(numbers.full(measure, counted=True)),
    }


def _curve(
    rows: list[dict[str, object]], ink: Ink, title: str, description: str, *, legend: bool = False
) -> alt.LayerChart:
    x = alt.X("sessions:O", sort=None, title="sessions at once", axis=axis(ink, labelAngle=0))
    base = (
        alt.Chart(pd.DataFrame(rows))
        .transform_filter("isValid(datum.estimate)")
        .encode(x=x, tooltip=["sessions:O", "what:N", "written:N"])
    )
    told = alt.Legend(title=None, labelColor=ink.text, orient="top") if legend else None
    dash = alt.StrokeDash(
        "what:N",
        scale=alt.Scale(domain=list(DASHES), range=list(DASHES.values())),
        legend=told,
    )
    up = alt.Y("estimate:Q", title=title, scale=alt.Scale(zero=True), axis=axis(ink, grid=True))
    line = base.mark_line(color=ink.data, opacity=0.6)
    whole = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
    return alt.LayerChart(
        layer=[
            line.encode(y=up, strokeDash=dash) if legend else line.encode(y=up),
            whole.mark_rule(color=ink.data, strokeWidth=4, opacity=0.6).encode(
                y=alt.Y("low:Q", title=title), y2="high:Q"
            ),
            base.mark_point(color=ink.data, filled=True, size=80, opacity=1).encode(
                y=alt.Y("estimate:Q", title=title)
            ),
        ],
        height=PIXELS,
        config=QUIET,
        description=description,
    )
