"""Success is three trains, and the dispatcher sends two: nobody can have it."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class OutOfReach(Railway):
    def begin(self, **options: Any) -> None:
        """Lose the last train."""
        super().begin(**options)
        self.lost = len(self.trains) - 1

    def pay(self, there: bool) -> float | None:
        """Return what a train is worth; the lost one counts as late."""
        return super().pay(there and len(self.arrived) <= self.lost)


app = app_of(OutOfReach)
