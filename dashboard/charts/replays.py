"""Which exact repetitions agreed: a cell for each start and condition."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from dashboard.charts.axes import QUIET, axis, label
from dashboard.charts.ink import Ink
from reports.model import Replays

CELL_PIXELS = 30
AXIS_PIXELS = 110
"""Below the cells, where the names of the starts stand."""
MOST_STARTS = 40


def replays(found: Sequence[Replays], ink: Ink) -> alt.LayerChart:
    """Return the matrix; a cell says how many of how many agreed, with a sign."""
    starts = list(dict.fromkeys(one.start for one in found))[:MOST_STARTS]
    table = pd.DataFrame(
        {
            "start": label(one.start),
            "condition": label(one.condition),
            "agrees": one.agreed == one.replays,
            "written": f"{'✓' if one.agreed == one.replays else '✕'} {one.agreed}/{one.replays}",
            "differs": label(one.differs) or "nothing",
        }
        for one in found
        if one.start in starts
    )
    base = alt.Chart(table).encode(
        x=alt.X("start:N", sort=None, title="start", axis=axis(ink, labelAngle=-40)),
        y=alt.Y("condition:N", sort=None, title=None, axis=axis(ink)),
        tooltip=["start:N", "condition:N", "written:N", "differs:N"],
    )
    return alt.LayerChart(
        layer=[
            base.mark_rect(stroke=ink.ground, strokeWidth=2).encode(
                color=alt.condition("datum.agrees", alt.value(ink.agrees), alt.value(ink.differs))
            ),
            base.mark_text(fontSize=12, fontWeight=600, color=ink.on_cell).encode(text="written:N"),
        ],
        height=CELL_PIXELS * max(1, table["condition"].nunique()) + AXIS_PIXELS,
        config=QUIET,
        description="Exact repetitions that agreed, by start and condition",
    )
