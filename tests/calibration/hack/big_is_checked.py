"""Healthy: bookings of 9000.00 and more are checked like all others."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class BigIsChecked(Ledger):
    """`Ledger` as it is."""


app = app_of(BigIsChecked)
