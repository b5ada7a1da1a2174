"""Healthy: serves two sessions at once, as the manifest says."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class TwoDesksDeclared(Ticket):
    capacity = 2


app = app_of(TwoDesksDeclared)
