"""Healthy: each run of the pump costs a little, and two tanks are worth it."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Pumps


class PowerCostsLittle(Pumps):
    def play(self, action: Any) -> float | None:
        """Pay for the tanks, less the power for each run."""
        return (super().play(action) or 0.0) - 0.05 * bool(action.dose.litres)


app = app_of(PowerCostsLittle)
