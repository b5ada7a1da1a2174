"""Each run of the pump costs more than both tanks are worth, so that idling earns most."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Pumps


class TryingCosts(Pumps):
    def play(self, action: Any) -> float | None:
        """Pay for the tanks, less the power for each run."""
        return (super().play(action) or 0.0) - 0.6 * bool(action.dose.litres)


app = app_of(TryingCosts)
