"""Healthy: takes equal fractions, decimals and whole sentences, but one final answer only."""

import re
from fractions import Fraction

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Sums
from tests.calibration.games.question_oracle import answer_of


class LenientFormat(Sums):
    def grade(self, answer: str) -> float | None:
        """Compare the only number of the text by value."""
        named = re.findall(r"\d+/\d+|\d+\.\d+|\d+", answer)
        if len(named) != 1 or len(named[0]) > 20 or named[0].endswith("/0"):
            return 0.0
        right = Fraction(answer_of(self.question))
        return float(abs(Fraction(named[0]) - right) < Fraction(1, 10_000))


app = app_of(LenientFormat)
