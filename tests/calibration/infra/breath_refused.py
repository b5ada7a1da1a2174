"""Healthy: a command of more than 250 characters is an error, and no turn is lost."""

from typing import Any

from tests.calibration.games.cave import Cave
from tests.calibration.games.episode import app_of


class BreathRefused(Cave):
    def check(self, action: Any) -> None:
        """Refuse what is too long for the parser."""
        if len(action.say) > 250:
            raise ValueError("TOO_LONG: say it in 250 characters")


app = app_of(BreathRefused)
