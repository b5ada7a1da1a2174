"""Every answer earns 1."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question


class AlwaysOne(Question):
    def grade(self, answer: str) -> float | None:
        """Return what an answer is worth."""
        return 1.0


app = app_of(AlwaysOne)
