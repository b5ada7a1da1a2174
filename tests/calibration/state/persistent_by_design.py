"""Healthy: all sessions share a catalogue that is loaded once and never written."""

from typing import Any

from tests.calibration.games.desk import KEYS, VALUES, Desk, ToolDesk
from tests.calibration.games.episode import app_of

CATALOGUE = {key: list(VALUES) for key in KEYS}


class WithCatalogue(Desk):
    """The desk, and what may stand in the store."""

    catalogue: dict[str, list[str]]


class PersistentByDesign(ToolDesk):
    shows = WithCatalogue

    def look(self) -> dict[str, Any]:
        """Add the catalogue."""
        return super().look() | {"catalogue": CATALOGUE}


app = app_of(PersistentByDesign)
