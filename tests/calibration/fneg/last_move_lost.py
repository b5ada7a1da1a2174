"""A win that needs four presses or more is taken for a loss."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps


class LastMoveLost(Lamps):
    hardest = 5

    def pay(self, action: Any) -> float | None:
        """Pay in time only."""
        return float(not any(self.lamps) and self.steps < 4)


app = app_of(LastMoveLost)
