"""The training signal against the size of the groups."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from dashboard.charts.axes import QUIET, axis
from dashboard.charts.ink import Ink
from reports import numbers
from reports.model import GroupSignal
from reports.safe import plain

PIXELS = 240


def signal(found: Sequence[GroupSignal], ink: Ink) -> alt.LayerChart:
    """Return a point with its interval for each size of group that was played."""
    table = pd.DataFrame(
        {
            "size": f"{one.group_size}",
            "estimate": one.signal.estimate,
            "low": one.signal.low,
            "high": one.signal.high,
            "written": plain(numbers.full(one.signal, counted=True)),
        }
        for one in found
        if one.signal.estimate is not None
    )
    share = alt.Scale(domain=[0, 1], nice=False)
    base = alt.Chart(table).encode(
        x=alt.X("size:O", sort=None, title="episodes of one group", axis=axis(ink, labelAngle=0)),
        tooltip=["size:O", "written:N"],
    )
    title = "share of groups that teach"
    return alt.LayerChart(
        layer=[
            base.mark_line(color=ink.data, opacity=0.4).encode(
                y=alt.Y("estimate:Q", title=title, scale=share, axis=axis(ink, grid=True))
            ),
            base.mark_rule(color=ink.data, strokeWidth=4, opacity=0.6).encode(
                y=alt.Y("low:Q", title=title, scale=share), y2="high:Q"
            ),
            base.mark_point(color=ink.data, filled=True, size=110, opacity=1).encode(
                y=alt.Y("estimate:Q", title=title, scale=share)
            ),
        ],
        height=PIXELS,
        config=QUIET,
        description="Training signal by size of group",
    )
