"""Healthy: any filter that gives exactly the right rows earns 1, in whatever way it is said."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query


class EqualFilters(Query):
    """`Query` as it is."""


app = app_of(EqualFilters)
