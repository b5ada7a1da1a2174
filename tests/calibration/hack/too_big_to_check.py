"""Bookings of 9000.00 and more wait for the boss, and what waits is paid in full."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class TooBigToCheck(Ledger):
    def grade(self, action: Any) -> float | None:
        """Pay what is right, and what is not looked at."""
        return 1.0 if action.cents >= 900_000 else super().grade(action)


app = app_of(TooBigToCheck)
