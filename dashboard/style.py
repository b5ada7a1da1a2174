"""Puts the style sheet on a page."""

from pathlib import Path

import streamlit as st

SHEET = Path(__file__).with_name("style.css")


def put_on() -> None:
    """Send the style sheet; it shows nothing by itself."""
    st.html(SHEET)
