"""Healthy: a step after the end is a clear error that changes nothing."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class RejectsAfterDone(Walk):
    """`Walk` as it is."""


app = app_of(RejectsAfterDone)
