"""Cached tables from the tracking store, for the pages."""

import os
from pathlib import Path

import streamlit as st

from dashboard.serve import TRACKING_URI
from reports.model import Report
from reports.tracking import read
from reports.tracking.read import Row
from reports.tracking.store import file_store

FRESH_SECONDS = 5
"""A new run is seen after that time; until then a page costs the store nothing."""


def tracking_uri() -> str:
    """Return the address of the store, which is in the working folder unless told otherwise."""
    return os.environ.get(TRACKING_URI) or file_store(Path(".envassay"))


def runs() -> list[Row]:
    """Return every validation, the newest first.

    Raises:
        StoreError: the store cannot be read.
    """
    return _runs(tracking_uri())


def report(run_id: str) -> Report:
    """Return one report.

    Raises:
        ReportMissing: there is none to read.
        StoreError: the store cannot be read.
    """
    return _report(tracking_uri(), run_id)


@st.cache_data(ttl=FRESH_SECONDS, max_entries=4, show_spinner="Reading the tracking store …")
def _runs(uri: str) -> list[Row]:
    return read.runs(uri)


@st.cache_data(max_entries=32, show_spinner="Reading the report …")
def _report(uri: str, run_id: str) -> Report:
    return read.load_report(uri, run_id)
