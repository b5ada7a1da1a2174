"""The reward is true or false."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class Boolean(Ticket):
    def grade(self, action: Any) -> float | None:
        """Return whether it is right."""
        return bool(super().grade(action))


app = app_of(Boolean)
