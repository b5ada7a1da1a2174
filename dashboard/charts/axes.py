"""Axes and text as every chart has them."""

from typing import Any

import altair as alt

from dashboard.charts.ink import Ink
from reports.safe import plain

LABEL_CHARACTERS = 28

QUIET = alt.Config(mark=alt.MarkConfig(aria=False))
"""A screen reader is told what the whole chart shows, not of each mark, of which some are empty."""


def axis(ink: Ink, **more: Any) -> alt.Axis:
    """Return an axis with its title in the colours of the page."""
    told: dict[str, Any] = {
        "labelColor": ink.text, "titleColor": ink.muted, "labelFontSize": 12, "grid": False,
        "domain": False, "ticks": False, "labelLimit": 220,
        "labelOverlap": False,
    }  # fmt: skip
    return alt.Axis(**{**told, **more})


def label(text: object) -> str:
    """Return a stranger's word as it may stand beside an axis."""
    return plain(text, LABEL_CHARACTERS)
