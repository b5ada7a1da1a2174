"""Colours of charts: distinguishable without colour vision, readable on their background."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ink:
    """What is drawn with."""

    text: str
    muted: str
    data: str
    ground: str
    agrees: str
    differs: str
    on_cell: str
    """Text on a cell that agrees or differs."""


LIGHT = Ink(
    text="#1b2333", muted="#59647a", data="#0b62a8", ground="#ffffff", agrees="#cfe3f5",
    differs="#ffcf9e", on_cell="#1b2333",
)  # fmt: skip
DARK = Ink(
    text="#eef1f6", muted="#a6b0c2", data="#62b5f0", ground="#0e1117", agrees="#16405f",
    differs="#7a3b00", on_cell="#ffffff",
)  # fmt: skip


def ink(theme: str | None) -> Ink:
    """Return the colours for a page that is `light` or `dark`."""
    return DARK if theme == "dark" else LIGHT
