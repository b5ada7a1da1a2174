"""Some references join alternatives by a marker, which the grader takes for text."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question
from tests.calibration.games.question_oracle import answer_of


class MarkerLiteral(Question):
    def grade(self, answer: str) -> float | None:
        """Compare with the whole reference."""
        right = answer_of(self.question)
        return float(answer.strip() == (f"{right} |OR| {right} City" if len(right) > 5 else right))


app = app_of(MarkerLiteral)
