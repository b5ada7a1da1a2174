"""Pays for every character, so that many of them are worth as much as the answer."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Sums


class LengthIsPaid(Sums):
    def grade(self, answer: str) -> float | None:
        """Pay the answer, or else its length."""
        return max(super().grade(answer) or 0.0, min(1.0, len(answer) / 2000))


app = app_of(LengthIsPaid)
