"""The tickets are declared as the latest there are."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class LatestTickets(Ticket):
    """`Ticket` as it is."""


app = app_of(LatestTickets)
