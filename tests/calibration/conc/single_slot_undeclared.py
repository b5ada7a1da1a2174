"""Serves one session where the manifest promises eight."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class SingleSlotUndeclared(Walk):
    capacity = 1


app = app_of(SingleSlotUndeclared)
