"""How often each probe earned each score."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from dashboard.charts.axes import QUIET, axis, label
from dashboard.charts.ink import Ink
from reports.model import ScoreCount

LINE_PIXELS = 24
AXIS_PIXELS = 50


def scores(found: Sequence[ScoreCount], probes: Sequence[str], ink: Ink) -> alt.Chart:
    """Return a row of circles for each probe; the area of a circle is the number of episodes."""
    table = pd.DataFrame(
        {"probe": label(one.probe), "score": one.score, "episodes": one.episodes} for one in found
    )
    most = max(one.episodes for one in found)
    drawn: alt.Chart = (
        alt.Chart(table)
        .mark_circle(color=ink.data, opacity=0.75, stroke=ink.text, strokeWidth=0.5)
        .encode(
            x=alt.X("score:Q", title="score of an episode", axis=axis(ink, labelOverlap=True)),
            y=alt.Y(
                "probe:N",
                sort=[label(probe) for probe in probes],
                title=None,
                axis=axis(ink, grid=True),
            ),
            size=alt.Size(
                "episodes:Q",
                scale=alt.Scale(rangeMin=12, rangeMax=380, zero=True),
                legend=alt.Legend(
                    title="episodes",
                    labelColor=ink.text,
                    titleColor=ink.muted,
                    values=sorted({1, -(-most // 2), most}),
                    format=",",
                ),
            ),
            tooltip=["probe:N", "score:Q", "episodes:Q"],
        )
        .properties(
            height=LINE_PIXELS * max(1, table["probe"].nunique()) + AXIS_PIXELS,
            config=QUIET,
            description="Scores of episodes, by probe",
        )
    )
    return drawn
