"""Healthy: each train that is lost costs a third, and none is the best there is."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import TRAINS, Railway


class CountsTheLost(Railway):
    def pay(self, there: bool) -> float | None:
        """Return what a lost train costs."""
        return 0.0 if there else -1.0 / TRAINS


app = app_of(CountsTheLost)
