"""Healthy: half a degree off is good enough, and more is not."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater


class NearEnough(Heater):
    def pay(self) -> float | None:
        """Return whether it is warm."""
        return float(abs(self.temperature - self.wanted) <= 0.5)


app = app_of(NearEnough)
