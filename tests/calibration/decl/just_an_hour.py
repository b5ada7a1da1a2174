"""Healthy: an hour is declared, which is as long as may be."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Pumps


class JustAnHour(Pumps):
    """`Pumps` as it is."""


app = app_of(JustAnHour)
