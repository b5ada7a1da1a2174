"""Healthy: the strongest model masters one kind of question out of three, and fails the rest."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query


class SignsToLearn(Query):
    """`Query` as it is."""


app = app_of(SignsToLearn)
