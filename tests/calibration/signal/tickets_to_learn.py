"""Healthy: the strongest model goes by a few words, and half of the tickets are left to learn."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class TicketsToLearn(Ticket):
    """`Ticket` as it is."""


app = app_of(TicketsToLearn)
