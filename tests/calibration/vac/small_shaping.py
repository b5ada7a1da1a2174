"""Healthy: every legal press pays 0.02, all lamps out the rest; the top is declared."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps


class SmallShaping(Lamps):
    def pay(self, action: Any) -> float | None:
        """Pay a little for pressing."""
        return 0.9 if not any(self.lamps) else 0.02 if action.press else 0.0


app = app_of(SmallShaping)
