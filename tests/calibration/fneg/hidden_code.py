"""Healthy: no blind policy opens the safe, and the reference always does."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.safe import Safe


class HiddenCode(Safe):
    """`Safe` as it is."""


app = app_of(HiddenCode)
