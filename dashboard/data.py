"""Cached tables from the tracking store, for the pages."""

import streamlit as st

from dashboard.serve import tracking_uri
from reports.episodes import Episodes
from reports.model import Report
from reports.tracking import read
from reports.tracking.catchup import Catchup, Ranking, shared
from reports.tracking.read import Row

FRESH_SECONDS = 5
"""A new run is seen after that time; until then a page costs the store nothing."""


def ranking() -> Ranking:
    """Return every environment, best first, as far as it is known by now."""
    return store().ranking(fresh=FRESH_SECONDS)


def row(run_id: str) -> Row | None:
    """Return one validation, None where there is none.

    Raises:
        StoreError: nothing is known of it, and the store cannot be read.
    """
    return store().row(run_id)


def history(target: tuple[str, str]) -> list[Row]:
    """Return the validations of one environment, the newest first."""
    return store().history(target)


def report(run_id: str) -> Report:
    """Return one report.

    Raises:
        ReportMissing: there is none to read.
        StoreError: the store cannot be read.
    """
    return _report(tracking_uri(), run_id)


def episodes(run_id: str) -> Episodes:
    """Return the stored episodes of one run.

    Raises:
        ReportMissing: there are none to read.
        StoreError: the store cannot be read.
    """
    return _episodes(tracking_uri(), run_id)


def store() -> Catchup:
    """Return the index of the store, which is brought up to date as it is looked at."""
    return shared(tracking_uri())


@st.cache_resource(max_entries=16, show_spinner="Reading the report …")
def _report(uri: str, run_id: str) -> Report:
    return read.load_report(uri, run_id)


@st.cache_resource(max_entries=4, show_spinner="Reading the episodes …")
def _episodes(uri: str, run_id: str) -> Episodes:
    return read.load_episodes(uri, run_id)
