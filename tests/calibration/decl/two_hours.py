"""An episode may take two hours, by its own declaration."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Pumps


class TwoHours(Pumps):
    """`Pumps` as it is."""


app = app_of(TwoHours)
