"""Healthy: a night of sixty minutes, always of the same length, as declared."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater


class LongHorizon(Heater):
    minutes = 60


app = app_of(LongHorizon)
