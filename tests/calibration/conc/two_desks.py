"""Serves two sessions at once, and eight are promised."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class TwoDesks(Ticket):
    capacity = 2


app = app_of(TwoDesks)
