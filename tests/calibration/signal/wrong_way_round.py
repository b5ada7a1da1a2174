"""Pays a third for each train that is lost, so that whoever can read the plan earns least."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class WrongWayRound(Railway):
    def pay(self, there: bool) -> float | None:
        """Return what a train is worth."""
        return super().pay(not there)


app = app_of(WrongWayRound)
