"""Grading runs out of time for long answers, and then the reward is absent."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question


class AbsentIsZero(Question):
    def grade(self, answer: str) -> float | None:
        """Grade what is short."""
        return None if len(answer) > 60 else super().grade(answer)


app = app_of(AbsentIsZero)
