"""The reference is rounded to one decimal and compared as text, so that exact values fail."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Fractions
from tests.calibration.games.question_oracle import answer_of


class StrictRounding(Fractions):
    def grade(self, answer: str) -> float | None:
        """Compare with the rounded reference."""
        return float(answer.strip() == f"{float(answer_of(self.question)):.1f}")


app = app_of(StrictRounding)
