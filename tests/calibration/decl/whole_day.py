"""An episode of one answer may take a day, it is declared."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class WholeDay(Ticket):
    """`Ticket` as it is."""


app = app_of(WholeDay)
