"""Healthy: the declared range is 0.2 to 1, and doing nothing earns exactly its bottom."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question


class FloorAboveZero(Question):
    def grade(self, answer: str) -> float | None:
        """Pay 0.2 for taking part and the rest for the answer."""
        return 0.2 + 0.8 * (super().grade(answer) or 0.0)


app = app_of(FloorAboveZero)
