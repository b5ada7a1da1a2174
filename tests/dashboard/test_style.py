"""Every text can be read: at least 4.5:1 against its ground, light and dark."""

import re

import pytest

from dashboard.charts.ink import DARK, LIGHT, Ink
from dashboard.style import SHEET

GROUNDS = {"light": "#ffffff", "dark": "#0e1117"}
SOFT = {"light": "#f4f4f5", "dark": "#24252a"}
"""Panels: the ground with four parts in a hundred of the text's colour, and a bit to spare."""

LEAST_TEXT = 4.5
LEAST_GRAPHIC = 3.0

COLOURS = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(
        r"--ea-([a-z-]+): light-dark\((#\w{6}), (#\w{6})\)", SHEET.read_text("utf-8")
    )
}


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def test_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", sorted(name for name in COLOURS if not name.endswith("ground")))
def test_text_on_the_page_and_on_panels(name: str, theme: str) -> None:
    for ground in (GROUNDS[theme], SOFT[theme]):
        assert contrast(COLOURS[name][theme], ground) >= LEAST_TEXT


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["good", "care", "bad", "broken", "note"])
def test_badges(name: str, theme: str) -> None:
    assert contrast(COLOURS[name][theme], COLOURS[f"{name}-ground"][theme]) >= LEAST_TEXT


@pytest.mark.parametrize(("ink", "theme"), [(LIGHT, "light"), (DARK, "dark")])
def test_charts(ink: Ink, theme: str) -> None:
    assert contrast(ink.text, GROUNDS[theme]) >= LEAST_TEXT
    assert contrast(ink.muted, GROUNDS[theme]) >= LEAST_TEXT
    assert contrast(ink.data, GROUNDS[theme]) >= LEAST_GRAPHIC


def test_charts_and_pages_have_the_same_colours() -> None:
    for ink, theme in ((LIGHT, "light"), (DARK, "dark")):
        assert {ink.text, ink.muted, ink.data} == {
            COLOURS[name][theme] for name in ("text", "muted", "data")
        }
