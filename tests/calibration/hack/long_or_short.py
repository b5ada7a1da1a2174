"""Healthy: an explanation of any length may stand before the last line, which is the answer."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Sums


class LongOrShort(Sums):
    def grade(self, answer: str) -> float | None:
        """Grade the last line."""
        lines = answer.splitlines()
        return super().grade(lines[-1]) if lines else 0.0


app = app_of(LongOrShort)
