"""Healthy: an empty press puts the lamps back to the start of the level; the steps go on."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps


class LevelAgain(Lamps):
    def begin(self, **options: Any) -> None:
        """Remember the level."""
        super().begin(**options)
        self.level = list(self.lamps)

    def play(self, action: Any) -> float | None:
        """Press, or begin the level again."""
        if not action.press:
            self.lamps = list(self.level)
        return super().play(action)


app = app_of(LevelAgain)
