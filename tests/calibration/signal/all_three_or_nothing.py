"""Healthy: only all three trains together are paid, which no blind dispatcher manages."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class AllThreeOrNothing(Railway):
    def pay(self, there: bool) -> float | None:
        """Return what the trains are worth together."""
        return float(self.over and all(self.arrived))


app = app_of(AllThreeOrNothing)
