"""Healthy: the strongest model earns the same in every episode, and that is not the top."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class ThirdTrainToLearn(Railway):
    """`Railway` as it is."""


app = app_of(ThirdTrainToLearn)
