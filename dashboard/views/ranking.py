"""Every environment on one page, best first."""

from collections.abc import Iterable

import streamlit as st

from dashboard import data, links
from dashboard.links import Filter
from dashboard.markup import element
from dashboard.panels.ranking import meaning, ranking
from dashboard.signs import VERDICTS
from dashboard.views import notices
from reports import numbers
from reports.model import VerdictStatus
from reports.tracking.read import Row, latest
from reports.tracking.store import StoreError, place

LEGEND = (
    "Ranked by verdict, then by the lower end of the signal's interval, so that few episodes do "
    "not win by luck. Intervals are of 95%."
)


def show() -> None:
    """Draw the page."""
    st.html(element("h1", "Which environments are worth training on?", class_="ea-title"))
    try:
        rows = latest(data.runs())
    except StoreError as fault:
        notices.store_unreadable(str(fault))
        return
    if not rows:
        notices.nothing_yet()
        return
    counted = numbers.count(len(rows), "environments")
    where = f"{counted} in {place(data.tracking_uri())}"
    st.html(element("p", where, class_="ea-small"))
    chosen = _choose()
    places = [(place, row) for place, row in enumerate(rows, start=1) if _matches(row, chosen)]
    if not places:
        notices.no_match()
        return
    st.html(ranking(places))
    st.html(element("p", LEGEND, class_="ea-small"))
    st.html(meaning())


def _choose() -> Filter:
    """Let the reader filter; the choice is kept in the address."""
    asked = links.filter_of(st.query_params)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    verdicts = left.pills(
        "Verdict",
        links.VERDICTS,
        selection_mode="multi",
        default=asked.verdicts,
        format_func=_named,
        key="verdicts",
    )
    text = right.text_input(
        "Search",
        value=asked.text,
        key="text",
        max_chars=links.MOST_CHARACTERS,
        placeholder="Name, address or reason",
    )
    chosen = Filter(verdicts=_in_order(verdicts), text=text)
    if chosen != asked:
        st.query_params.from_dict(links.query_of(chosen))
    return chosen


def _in_order(chosen: Iterable[str]) -> tuple[VerdictStatus, ...]:
    return tuple(verdict for verdict in links.VERDICTS if verdict in set(chosen))


def _named(verdict: VerdictStatus) -> str:
    return f"{VERDICTS[verdict].mark} {verdict}"


def _matches(row: Row, chosen: Filter) -> bool:
    found = row.standing
    if chosen.verdicts and found.verdict not in chosen.verdicts:
        return False
    words = " ".join((found.name, found.url, found.reason, found.advice)).casefold()
    return all(word in words for word in chosen.text.casefold().split())
