"""Healthy: one slips in three of ten steps, by a generator of the session; replays exactly."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import SlipperyWalk


class SlipperySeeded(SlipperyWalk):
    """`SlipperyWalk` as it is."""


app = app_of(SlipperySeeded)
