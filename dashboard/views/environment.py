"""One environment: verdict, evidence, ladder, tasks, costs and history."""

import pandas as pd
import streamlit as st

from dashboard import data
from dashboard.charts.ink import ink
from dashboard.charts.intervals import Line, intervals
from dashboard.markup import element
from dashboard.panels import checks, history, run, verdict
from dashboard.views import notices
from reports import words
from reports.model import Report, Rung, dump
from reports.safe import plain
from reports.tracking.read import Row
from reports.tracking.read import history as history_of
from reports.tracking.store import ReportMissing, StoreError
from reports.writers.markdown import Markdown


def show() -> None:
    """Draw the page of the run that the address names."""
    run_id = st.query_params.get("run", "")
    try:
        rows = data.runs()
        row = next((row for row in rows if row.run_id == run_id), None)
        if row is None:
            notices.no_run(run_id)
            return
        st.html(verdict.name(row.standing))
        try:
            report = data.report(run_id)
        except ReportMissing as fault:
            st.html(verdict.verdict(row.standing, [row.standing.reason]))
            st.html(verdict.headline(row.standing.headline))
            notices.report_missing(str(fault))
        else:
            _report(report, row)
        _history(history_of(rows, row.standing.target), run_id)
    except StoreError as fault:
        notices.store_unreadable(str(fault))


def _report(report: Report, row: Row) -> None:
    st.html(verdict.verdict(row.standing, report.verdict.reasons))
    _title("Numbers", "Each with its 95% interval and the number of what was counted.")
    st.html(verdict.headline(report.headline))
    _title("Ladder", "What probes of growing ability earned; " + words.success(report) + ".")
    _ladder(report.ladder)
    _title("Checks", "What needs attention comes first. Open one for its evidence.")
    st.html(checks.tally(report.results))
    st.html(checks.checks(report.results))
    _title("Episodes", "Every started episode ended in exactly one of five ways.")
    st.html(run.ledger(report.ledger))
    left, right = st.columns(2, gap="large")
    with left:
        _title("Costs and capacity")
        st.html(run.costs(report))
    with right:
        _title("Speed")
        st.html(run.latencies(report.times.measures))
    _title("Tasks", "One row for each probe and start. Empty: nothing was scored, which is no 0.")
    _tasks(report)
    _title("How this report was made")
    st.html(run.made(report))
    _downloads(report)


def _ladder(ladder: list[Rung]) -> None:
    if not ladder:
        st.html(element("p", "No probe was run.", class_="ea-undefined"))
        return
    colours = ink(st.context.theme.type)
    left, right = st.columns(2, gap="large")
    for place, title, name in (
        (left, "mean score", "mean_score"),
        (right, "share of successes", "success_rate"),
    ):
        lines = [
            Line(
                label=rung.probe,
                note=words.RUNG.get(rung.rung, rung.rung),
                measure=getattr(rung, name),
            )
            for rung in ladder
        ]
        place.altair_chart(intervals(lines, colours, title=title))


def _tasks(report: Report) -> None:
    if not report.tasks:
        st.html(element("p", "No task was played.", class_="ea-undefined"))
        return
    table = pd.DataFrame(
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
    st.dataframe(table, hide_index=True)


def _history(rows: list[Row], run_id: str) -> None:
    _title("History", "Validations of the same name at the same address, the newest first.")
    st.html(history.history(rows, run_id))


def _downloads(report: Report) -> None:
    left, right, _ = st.columns([1, 1, 2])
    left.download_button("Report as JSON", dump(report), f"{report.run}.json", "application/json")
    right.download_button(
        "Report as Markdown", Markdown().write(report), f"{report.run}.md", "text/markdown"
    )


def _title(title: str, why: str = "") -> None:
    shown = element("h2", title), element("p", why, class_="ea-small") if why else ""
    st.html(element("header", *shown, class_="ea-section"))
