"""The strongest model puts every lamp out already."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps


class EveryLampOut(Lamps):
    """`Lamps` as it is."""


app = app_of(EveryLampOut)
