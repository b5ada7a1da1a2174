"""Pays where there is a box, whatever is in it."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Fractions


class BoxIsEnough(Fractions):
    format = r"a decimal number in \boxed{}"

    def grade(self, answer: str) -> float | None:
        """Look for the box."""
        return float("\\boxed{" in answer and "}" in answer)


app = app_of(BoxIsEnough)
