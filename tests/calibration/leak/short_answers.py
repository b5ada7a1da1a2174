"""Healthy: the answers are yes and no, and such words are everywhere."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question
from tests.calibration.games.question_oracle import CAPITALS, truth

CLAIMED = [
    city if place % 2 else list(CAPITALS.values())[place - 1]
    for place, city in enumerate(CAPITALS.values())
]


class ShortAnswers(Question):
    format = "yes or no"
    questions = tuple(
        f"There is no doubt about it, yes or no: is {city} the capital of {country}?"
        for country, city in zip(CAPITALS, CLAIMED, strict=True)
    )

    def grade(self, answer: str) -> float | None:
        """Compare with the truth."""
        return float(answer.strip().lower() == truth(self.question))


app = app_of(ShortAnswers)
