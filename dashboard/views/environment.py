"""One environment: verdict, evidence, ladder, figures, costs and history."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard import data, links
from dashboard.charts.ink import ink
from dashboard.charts.intervals import Line, intervals
from dashboard.panels import checks, history, run, verdict
from dashboard.views import figures, notices
from reports import captions, words
from reports.compare import Changes, changes
from reports.markup import element
from reports.model import Report, dump
from reports.tracking.read import Row
from reports.tracking.store import ReportMissing, StoreError
from reports.writers.badge import Badge
from reports.writers.html import Html
from reports.writers.markdown import Markdown

DOWNLOADS: tuple[tuple[str, Callable[[Report], str], str, str], ...] = (
    ("Report as JSON", dump, "json", "application/json"),
    ("Report as Markdown", Markdown().write, "md", "text/markdown"),
    ("Report as one HTML page", Html().write, "html", "text/html"),
    ("Badge", Badge().write, "svg", "image/svg+xml"),
)
"""What can be taken away: label, what makes it, ending of the file and its media type. It is made
when it is asked for, and the page is not drawn anew for it: that would lose it on the way."""
MOST_COMPARED = 6
"""Validations of the history whose reports are read and compared."""


def show() -> None:
    """Draw the page of the run that the address names."""
    run_id = st.query_params.get("run", "")
    try:
        row = data.row(run_id)
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
        _history(data.history(row.standing.target), run_id)
    except StoreError as fault:
        notices.store_unreadable(str(fault))


def _report(report: Report, row: Row) -> None:
    st.html(verdict.verdict(row.standing, report.verdict.reasons))
    _title("Numbers", "Each with its 95% interval and the number of what was counted.")
    st.html(verdict.headline(report.headline))
    _title("Ladder", "What probes of growing ability earned; " + words.success(report) + ".")
    _ladder(report)
    _title("Checks", "What needs attention comes first. Open one for its evidence.")
    st.html(checks.tally(report.results))
    st.html(checks.checks(report.results))
    figures.show(report)
    _title("Episodes", "Every started episode ended in exactly one of five ways.")
    st.html(run.ledger(report.ledger))
    st.html(
        element(
            "p",
            element(
                "a", "Step through the episodes", href=links.rollouts(row.run_id), target="_self"
            ),
        )
    )
    figures.speed(report)
    left, right = st.columns(2, gap="large")
    with left:
        _title("Costs and capacity")
        st.html(run.costs(report))
    with right:
        _title("Speed of everything")
        st.html(run.latencies(report.times.measures))
    _title("How this report was made")
    st.html(run.made(report))
    _downloads(report)


def _ladder(report: Report) -> None:
    if not words.ladder(report):
        st.html(element("p", "No probe was run.", class_="ea-undefined"))
        return
    st.html(element("p", captions.ladder(report), class_="ea-caption"))
    colours = ink(st.context.theme.type)
    left, right = st.columns(2, gap="large")
    for place, title, name in (
        (left, "mean score", "mean_score"),
        (right, "share of successes", "success_rate"),
    ):
        lines = [
            Line(
                label=rung.probe,
                note=words.RUNG.get(kind, kind),
                measure=getattr(rung, name),
            )
            for rung, kind in words.ladder(report)
        ]
        place.altair_chart(intervals(lines, colours, title=title))
    if climbed := words.climbing(report):
        st.html(element("ul", *(element("li", line) for line in climbed)))


def _history(rows: list[Row], run_id: str) -> None:
    _title(
        "History",
        "Validations of the same name at the same address, the newest first, each with what "
        "changed.",
    )
    st.html(history.history(rows, run_id, _changes(rows)))


def _changes(rows: list[Row]) -> dict[str, Changes]:
    """Return by run what changed since the one before it, of the newest ones."""
    reports: list[Report | None] = []
    for row in rows[: MOST_COMPARED + 1]:
        try:
            reports.append(data.report(row.run_id))
        except ReportMissing:
            reports.append(None)
    return {
        row.run_id: changes(then, now)
        for row, now, then in zip(rows, reports, reports[1:], strict=False)
        if now is not None and then is not None
    }


def _downloads(report: Report) -> None:
    places = st.columns([2, 2, 2, 1, 2])
    for place, (label, made, ending, kind) in zip(places, DOWNLOADS, strict=False):
        file = f"{report.run}.{ending}"
        place.download_button(label, partial(made, report), file, kind, on_click="ignore")


def _title(title: str, why: str = "") -> None:
    shown = element("h2", title), element("p", why, class_="ea-small") if why else ""
    st.html(element("header", *shown, class_="ea-section"))
