"""Every minute pays the same, however warm it is."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater


class ConstantHalf(Heater):
    def pay(self) -> float | None:
        """Return the reward of a minute."""
        return 0.5


app = app_of(ConstantHalf)
