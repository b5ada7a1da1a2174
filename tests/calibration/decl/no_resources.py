"""The block of the manifest leaves out what the server needs and how it is signed."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.lift import Lift


class NoResources(Lift):
    """`Lift` as it is."""


app = app_of(NoResources)
