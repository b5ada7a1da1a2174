"""Every answer earns 0, the right one too."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question


class AlwaysZero(Question):
    def grade(self, answer: str) -> float | None:
        """Return what an answer is worth."""
        return 0.0


app = app_of(AlwaysZero)
