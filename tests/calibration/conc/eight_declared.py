"""Healthy: serves eight sessions, as declared, and refuses a ninth."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater


class EightDeclared(Heater):
    capacity = 8


app = app_of(EightDeclared)
