"""Two environments, or two versions of one, beside each other."""

import streamlit as st

from dashboard import data, links
from dashboard.pairs import answers, pairs, same_environment, unscored
from dashboard.panels import comparison
from dashboard.views import notices
from reports.markup import element
from reports.safe import plain
from reports.tracking.read import Row
from reports.tracking.store import ReportMissing, StoreError

MOST_CHOICES = 500


def show() -> None:
    """Draw the comparison that the address names, and let the reader choose another."""
    st.html(element("p", element("a", "← All environments", href=links.HOME, target="_self")))
    st.html(element("h1", "Compare", class_="ea-title"))
    try:
        one, other = _choose()
        if one is None or other is None:
            notices.nothing_to_compare()
            return
        st.html(comparison.heads(one, other))
        try:
            first, second = data.report(one.run_id), data.report(other.run_id)
        except ReportMissing as fault:
            notices.report_missing(str(fault))
            return
    except StoreError as fault:
        notices.store_unreadable(str(fault))
        return
    same = first.target.fingerprint == second.target.fingerprint
    st.html(
        element(
            "p",
            "Both say the same of themselves: schema, tools and tasks are unchanged."
            if same
            else "They differ in what they say of themselves: schema, tools or tasks.",
        )
    )
    _title("Numbers", "Each with its 95% interval; where intervals overlap, no order is shown.")
    st.html(comparison.headlines(first, second))
    _title(
        "Ladder",
        "Differences are paired by task or start, over those that both runs played."
        if same_environment(first, second)
        else "These are two environments: no start of one is a start of the other, so that "
        "nothing is paired.",
    )
    st.html(comparison.ladders(pairs(first, second)))
    if silent := unscored(first, second):
        why = f"Scored in neither: {', '.join(plain(probe, 40) for probe in silent)}."
        st.html(element("p", why, class_="ea-small"))
    _title("Checks", "What changed comes first.")
    st.html(comparison.checks(answers(first, second)))


def _choose() -> tuple[Row | None, Row | None]:
    named = [st.query_params.get(name, "") for name in ("one", "other")]
    known: dict[str, str] = {}
    rows = [data.row(run_id) if run_id else None for run_id in named]
    for row in rows:
        if row is not None:
            for past in data.history(row.standing.target):
                known[past.run_id] = _label(past)
    for entry in data.ranking().entries[:MOST_CHOICES]:
        known.setdefault(entry.run_id, _label(entry.row))
    if not known:
        return None, None
    chosen: list[str | None] = []
    for place, label, run_id in zip(st.columns(2), ("One", "Other"), named, strict=True):
        ids = list(known)
        index = ids.index(run_id) if run_id in ids else None
        chosen.append(
            place.selectbox(label, ids, index=index, format_func=known.__getitem__, key=label)
        )
    found = {
        name: run for name, run in zip(("one", "other"), chosen, strict=True) if run is not None
    }
    if [found.get(name, "") for name in ("one", "other")] != named:
        st.query_params.from_dict({links.PAGE: links.COMPARE, **found})
    one, other = (None if run is None else data.row(run) for run in chosen)
    return one, other


def _label(row: Row) -> str:
    found = row.standing
    return plain(f"{found.name or 'unnamed'} · {found.validated_at[:16]} · {found.url}", 100)


def _title(title: str, why: str) -> None:
    st.html(
        element(
            "header", element("h2", title), element("p", why, class_="ea-small"),
            class_="ea-section",
        )
    )  # fmt: skip
