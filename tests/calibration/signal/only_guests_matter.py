"""Healthy: a booking takes knowledge of rooms and guest; blind calls earn nothing."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.hotel import Hotel


class OnlyGuestsMatter(Hotel):
    """`Hotel` as it is."""


app = app_of(OnlyGuestsMatter)
