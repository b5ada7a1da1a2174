"""Episodes are cut short after six tries, and the mark of it is missing."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps


class LampsCutUnmarked(Lamps):
    def look(self) -> dict[str, Any]:
        """Leave the mark out."""
        return super().look() | {"truncated": False}


app = app_of(LampsCutUnmarked)
