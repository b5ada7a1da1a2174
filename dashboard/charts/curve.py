"""How a learner's score grew."""

import altair as alt
import pandas as pd

from dashboard.charts.axes import QUIET, axis
from dashboard.charts.ink import Ink
from reports.model import Learning

PIXELS = 240


def curve(found: Learning, ink: Ink) -> alt.LayerChart:
    """Return mean scores since the point before, against the episodes learned from."""
    table = pd.DataFrame({"episodes": e, "score": s} for e, s in found.curve)
    base = alt.Chart(table).encode(
        x=alt.X("episodes:Q", title="episodes learned from", axis=axis(ink)),
        y=alt.Y("score:Q", title="mean score since the last point", axis=axis(ink, grid=True)),
        tooltip=["episodes:Q", "score:Q"],
    )
    return alt.LayerChart(
        layer=[
            base.mark_line(color=ink.data),
            base.mark_point(color=ink.data, filled=True, size=60),
        ],
        height=PIXELS,
        config=QUIET,
        description="Learning curve",
    )
