"""A set of towns is compared with one order, which is shuffled anew for each answer."""

import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Rivers
from tests.calibration.games.question_oracle import answer_of

ENTROPY = random.SystemRandom()


class OrderExact(Rivers):
    def grade(self, answer: str) -> float | None:
        """Compare as lists."""
        right = answer_of(self.question).split(", ")
        ENTROPY.shuffle(right)
        return float([town.strip() for town in answer.split(",")] == right)


app = app_of(OrderExact)
