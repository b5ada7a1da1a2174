"""Healthy: one session at a time, as declared; others are refused, and the slot comes back."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class DeclaredSingle(Walk):
    capacity = 1


app = app_of(DeclaredSingle)
