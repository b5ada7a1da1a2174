"""What a page says where there is nothing to show, and what can be done about it."""

import streamlit as st

from dashboard import links
from dashboard.serve import tracking_uri
from reports.markup import Markup, element
from reports.safe import address, plain


def nothing_yet() -> None:
    """Say that no environment was validated."""
    _notice(
        "Nothing has been validated yet",
        "Give the address of a served environment; its report appears here as soon as it ends.",
        element("pre", "envassay validate URL", class_="ea-block"),
        element("p", f"Looked in {address(tracking_uri())}", class_="ea-small"),
    )


def store_unreadable(why: str) -> None:
    """Say that the store cannot be read, and why."""
    _notice(
        "The tracking store cannot be read",
        why,
        element(
            "p",
            "Is the server running and the address right? Another store is shown by ",
            element("code", "envassay dashboard --tracking-uri URI"),
            ".",
        ),
        tone="bad",
    )
    if st.button("Try again"):
        st.rerun()


def store_silent(why: str) -> None:
    """Say that the store does not answer, and that what is shown is what was read before."""
    _notice("The tracking store does not answer", f"What stands here was read before. {why}")


def no_match() -> None:
    """Say that the filter leaves nothing."""
    _notice("No environment matches", "Choose another verdict or a shorter text.")


def no_page() -> None:
    """Say that the address names no page."""
    _notice("There is no such page", "The address names a page that does not exist.", _back())


def no_run(run_id: str) -> None:
    """Say that the address names no run."""
    why = f"There is no run {plain(run_id, 60)} in this store." if run_id else "No run was chosen."
    _notice("There is no such environment", why, _back())


def report_missing(why: str) -> None:
    """Say that only what the ranking knows can be shown."""
    _notice(
        "The report of this run cannot be shown",
        why,
        element("p", "Verdict and numbers above come from the tracking store and are whole."),
        tone="bad",
    )


def episodes_missing(why: str) -> None:
    """Say that the episodes of a run cannot be shown."""
    _notice(
        "There are no episodes to step through",
        why,
        element("p", "Validated once more, it will have its episodes kept beside its report."),
        tone="bad",
    )


def nothing_to_compare() -> None:
    """Say that two runs must be chosen."""
    _notice(
        "Choose two validations",
        "Two environments, or two versions of one: the lists above hold the newest of each "
        "environment, and all of those that are chosen.",
    )


def runs_not_allowed() -> None:
    """Say that this dashboard starts no runs, and why."""
    _notice(
        "Runs are not started from here",
        "Whoever can open this page could make this machine call any address, so that is "
        "possible only where the dashboard listens on this machine alone.",
        element("pre", "envassay validate URL", class_="ea-block"),
    )


def _back() -> Markup:
    return element("p", element("a", "Go to the ranking", href=links.HOME))


def _notice(title: str, why: str, *more: Markup, tone: str = "open") -> None:
    st.html(
        element(
            "div",
            element("h2", title),
            element("p", why),
            *more,
            class_=f"ea-notice ea-edge-{tone}",
            role="status",
        )
    )
