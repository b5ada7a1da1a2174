"""The figures of one environment, each with what it shows in words."""

from collections.abc import Callable

import altair as alt
import pandas as pd
import streamlit as st

from dashboard.charts.curve import curve
from dashboard.charts.heat import MOST_TASKS, heat
from dashboard.charts.ink import Ink, ink
from dashboard.charts.load import latency, throughput
from dashboard.charts.replays import replays
from dashboard.charts.scores import scores
from dashboard.charts.signal import signal
from reports import captions, words
from reports.markup import element
from reports.model import Report
from reports.safe import plain


def show(report: Report) -> None:
    """Draw what a report has figures of; say so where it has none."""
    colours = ink(st.context.theme.type)
    left, right = st.columns(2, gap="large")
    with left:
        _signal(report, colours)
    with right:
        _scores(report, colours)
    _tasks(report, colours)
    _replays(report, colours)
    for rung in report.ladder:
        if rung.learning is not None and rung.learning.curve:
            learned = rung.learning
            _figure(
                f"Learning of {plain(rung.probe, 40)}",
                captions.curve(rung.probe, learned),
                lambda learned=learned: curve(learned, colours),  # type: ignore[misc]
            )


def speed(report: Report) -> None:
    """Draw how fast the environment was, alone and beside others."""
    found, colours = report.times.load, ink(st.context.theme.type)
    if len(found) < 2:
        _nothing("Speed and sessions at once", captions.load(found))
        return
    st.html(element("header", element("h2", "Speed and sessions at once"), class_="ea-section"))
    st.html(element("p", captions.load(found), class_="ea-caption"))
    left, right = st.columns(2, gap="large")
    left.altair_chart(throughput(found, colours))
    right.altair_chart(latency(found, colours))


def _figure(title: str, caption: str, draw: Callable[[], alt.Chart | alt.LayerChart]) -> None:
    st.html(element("header", element("h2", title), class_="ea-section"))
    st.html(element("p", caption, class_="ea-caption"))
    st.altair_chart(draw())


def _signal(report: Report, colours: Ink) -> None:
    found = [one for one in report.figures.signal_by_group if one.signal.estimate is not None]
    title = "Signal and size of group"
    if not found:
        _nothing(title, captions.signal(report))
        return
    _figure(title, captions.signal(report), lambda: signal(found, colours))


def _scores(report: Report, colours: Ink) -> None:
    if not report.figures.scores:
        _nothing("Scores", captions.scores(report))
        return
    found = report.figures.scores
    probes = words.in_order(report, (one.probe for one in found))
    _figure("Scores", captions.scores(report), lambda: scores(found, probes, colours))


def _tasks(report: Report, colours: Ink) -> None:
    if not report.tasks:
        _nothing("Tasks", "No task was played.")
        return
    probes = words.in_order(report, (row.probe for row in report.tasks))
    _figure("Tasks", captions.tasks(report.tasks), lambda: heat(report.tasks, probes, colours))
    more = len({row.task for row in report.tasks}) - MOST_TASKS
    if more > 0:
        st.html(element("p", f"{more} more in the table.", class_="ea-small"))
    with st.expander("The same as a table: empty where nothing was scored, which is no 0"):
        st.dataframe(_table(report), hide_index=True)


def _replays(report: Report, colours: Ink) -> None:
    found = report.figures.replays
    if not found:
        _nothing("Replays", captions.replays(found))
        return
    _figure("Replays", captions.replays(found), lambda: replays(found, colours))


def _nothing(title: str, why: str) -> None:
    st.html(element("header", element("h2", title), class_="ea-section"))
    st.html(element("p", why, class_="ea-undefined"))


def _table(report: Report) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "task": plain(row.task, 200),
            "probe": plain(row.probe, 40),
            "mean score": row.mean_score.estimate,
            "95% from": row.mean_score.low,
            "95% to": row.mean_score.high,
            "least": row.score_low,
            "greatest": row.score_high,
            "n scored": row.scored,
            "absent": row.absent,
            "failed": row.failed,
            "method": plain(row.mean_score.method, 120),
        }
        for row in report.tasks
    )
