"""Episodes are cut short after ten commands, but the promised mark is never set."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lift import Lift


class CutUnmarked(Lift):
    def look(self) -> dict[str, Any]:
        """Leave the mark out."""
        return super().look() | {"truncated": False}


app = app_of(CutUnmarked)
