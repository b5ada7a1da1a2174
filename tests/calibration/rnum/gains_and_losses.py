"""Healthy: gains and losses of a day, from minus 15 to 15, as declared."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Trader


class GainsAndLosses(Trader):
    """`Trader` as it is."""


app = app_of(GainsAndLosses)
