"""Pays 0.9 for raising no alarm, so that silence is nearly as good as being right."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class QuietIsSafe(Ticket):
    def grade(self, action: Any) -> float | None:
        """Pay for being right, and for doing no harm."""
        right = super().grade(action) or 0.0
        return max(right, 0.0 if action.urgent else 0.9)


app = app_of(QuietIsSafe)
