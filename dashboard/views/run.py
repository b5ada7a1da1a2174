"""Start a validation and watch it."""

import streamlit as st

from dashboard import data, launch, links
from dashboard.launch import Asked, Launched
from dashboard.serve import tracking_uri
from dashboard.views import notices
from reports import numbers
from reports.markup import block, element
from reports.safe import plain

LOOK_SECONDS = 1
ENDINGS = {
    0: "It passed, or passed with warnings.",
    1: "It failed: its report says why.",
    2: "Nothing usable answers at that address.",
    3: "The run could not be made: the output says why.",
}


@st.cache_resource
def _running() -> list[Launched]:
    """Return the runs that this dashboard has started, the newest last."""
    return []


def show() -> None:
    """Draw the form, and the newest run that was started here."""
    st.html(element("p", element("a", "← All environments", href=links.HOME, target="_self")))
    st.html(element("h1", "Validate an environment", class_="ea-title"))
    if not launch.allowed():
        notices.runs_not_allowed()
        return
    running = _running()
    busy = bool(running) and running[-1].exit_code is None
    _form(busy)
    if running:
        _follow()


def _form(busy: bool) -> None:
    with st.form("run"):
        url = st.text_input(
            "Address", value=st.query_params.get("url", ""), placeholder="http://localhost:8000",
            max_chars=2000,
        )  # fmt: skip
        left, wide, middle, right = st.columns([2, 4, 2, 2])
        budget = left.selectbox("Budget", launch.BUDGETS)
        probes = wide.selectbox(
            "Probes", list(launch.PROBES), format_func=launch.PROBES.__getitem__
        )
        group = middle.number_input("Group size", min_value=2, max_value=1024, value=8)
        seed = right.number_input("Seed", min_value=0, max_value=2**31, value=0)
        started = st.form_submit_button("Validate", type="primary", disabled=busy)
    if not started:
        return
    asked = Asked(
        url=url.strip(), budget=budget, group_size=int(group), seed=int(seed), probes=probes
    )
    if fault := launch.fault_of(asked):
        st.error(fault)
        return
    try:
        _running().append(launch.launch(asked, tracking_uri()))
    except OSError as fault_:
        st.error(f"It cannot be started: {plain(fault_)}")
        return
    st.rerun()


@st.fragment(run_every=LOOK_SECONDS)
def _follow() -> None:
    run = _running()[-1]
    found, code = run.progress(), run.exit_code
    st.html(
        element(
            "section",
            element("h2", plain(found.name or "waiting for the first answer", 80)),
            element("p", element("code", plain(run.asked.url, 200))),
            class_="ea-section",
        )
    )
    share = min(1.0, found.finished / found.planned) if found.planned else 0.0
    words = (
        f"{numbers.seconds(run.seconds)}: {found.finished:,} of {found.planned:,} episodes planned "
        f"so far, {numbers.count(found.sessions, 'sessions')} at once"
    )
    st.progress(1.0 if code is not None else share, text=words)
    counts = ", ".join(f"{count:,} {name}" for name, count in found.outcomes.items())
    if counts:
        st.html(element("p", counts, class_="ea-small"))
    if found.resting and code is None:
        words = "Episodes are played; exercises and checks follow, and perhaps more episodes."
        st.html(element("p", words, class_="ea-small", role="status"))
    if found.stopped:
        st.html(element("p", f"Stopped early: {found.stopped}", class_="ea-small"))
    if code is None:
        if st.button("End it"):
            run.end()
        return
    _ended(run, code)


def _ended(run: Launched, code: int) -> None:
    words = ENDINGS.get(code, f"It was ended (exit code {code}); what was played is kept.")
    st.html(element("p", words, class_="ea-next", role="status"))
    if code in (0, 1):
        data.store().wait()
        st.html(element("p", element("a", "See the ranking", href=links.HOME, target="_self")))
        newest = max(
            (one for one in data.ranking().entries if _is_of(one.url, run.asked.url)),
            key=lambda one: str(one.facts["validated_at"]),
            default=None,
        )
        if newest is not None:
            where = links.environment(newest.run_id)
            st.html(element("p", element("a", "See its report", href=where, target="_self")))
    with st.expander("What the command said", expanded=code not in (0, 1)):
        st.html(block(run.output(), 20_000))


def _is_of(url: str, asked: str) -> bool:
    """Return whether a logged address is the one that was typed, by what follows the scheme."""
    return url.partition("://")[2].rstrip("/") == asked.partition("://")[2].rstrip("/")
