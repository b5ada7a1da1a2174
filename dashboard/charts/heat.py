"""Mean score by task and probe: a cell for each, with its number."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from dashboard.charts.axes import QUIET, axis, label
from dashboard.charts.ink import Ink
from reports import numbers
from reports.model import TaskRow
from reports.safe import plain

MOST_TASKS = 40
CELL_PIXELS = 26
AXIS_PIXELS = 110
"""Below the cells, where the names of the starts stand."""


def heat(rows: Sequence[TaskRow], probes: Sequence[str], ink: Ink) -> alt.LayerChart:
    """Return the map of at most 40 tasks; what was not scored is an empty cell with a dash."""
    tasks = list(dict.fromkeys(row.task for row in rows))[:MOST_TASKS]
    table = pd.DataFrame(
        {
            "task": label(row.task),
            "probe": label(row.probe),
            "score": row.mean_score.estimate,
            "written": _written(row),
            "n": row.scored,
            "interval": plain(numbers.full(row.mean_score, counted=True)),
        }
        for row in rows
        if row.task in tasks
    )
    known = [value for value in table["score"] if value == value and value is not None]
    middle = (min(known) + max(known)) / 2 if known else 0.0
    base = alt.Chart(table).encode(
        x=alt.X("task:N", sort=None, title="task or start", axis=axis(ink, labelAngle=-40)),
        y=alt.Y("probe:N", sort=[label(probe) for probe in probes], title=None, axis=axis(ink)),
        tooltip=["task:N", "probe:N", "interval:N"],
    )
    cells = base.transform_filter("isValid(datum.score)").mark_rect().encode(
        color=alt.Color(
            "score:Q", scale=alt.Scale(scheme="cividis"),
            legend=alt.Legend(title="mean score", labelColor=ink.text, titleColor=ink.muted),
        )
    )  # fmt: skip
    empty = base.transform_filter("!isValid(datum.score)").mark_rect(
        fillOpacity=0, stroke=ink.muted, strokeDash=[2, 3], strokeOpacity=0.6
    )
    on_cells = base.transform_filter("isValid(datum.score)").mark_text(fontSize=10).encode(
        text="written:N",
        color=alt.condition(
            f"datum.score > {middle!r}", alt.value("#000000"), alt.value("#ffffff")
        ),
    )  # fmt: skip
    on_empty = (
        base.transform_filter("!isValid(datum.score)")
        .mark_text(fontSize=10, color=ink.muted)
        .encode(text="written:N")
    )
    return alt.LayerChart(
        layer=[cells, empty, on_cells, on_empty],
        height=CELL_PIXELS * max(1, len(probes)) + AXIS_PIXELS,
        config=QUIET,
        description="Mean score by task and probe",
    )


def _written(row: TaskRow) -> str:
    found = row.mean_score.estimate
    return numbers.NOTHING if found is None else f"{found:.2g}"
