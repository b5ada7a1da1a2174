"""Healthy: a passage to be read must hold its answer."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Passages


class AnswerInContext(Passages):
    """`Passages` as they are."""


app = app_of(AnswerInContext)
