"""Healthy: a program may exit; the observation says so, and a try is used up."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.snippets import Snippets


class ProgramEndsItself(Snippets):
    """`Snippets` as it is."""


app = app_of(ProgramEndsItself)
