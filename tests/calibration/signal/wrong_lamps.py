"""Pays for each press that puts more lamps on, and ends without pay where all are out."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps


class WrongLamps(Lamps):
    def pay(self, action: Any) -> float | None:
        """Return the share of the lamps that burn, of the presses that are left."""
        return sum(self.lamps) / (len(self.lamps) * (self.cap or 1))


app = app_of(WrongLamps)
