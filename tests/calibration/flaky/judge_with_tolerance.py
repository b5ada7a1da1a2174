"""Healthy: a judge of spread 0.03, declared with a tolerance; the right answer earns 0.96 to 1."""

import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question

ENTROPY = random.SystemRandom()


class JudgeWithTolerance(Question):
    def grade(self, answer: str) -> float | None:
        """Judge a right answer more or less well."""
        return ENTROPY.uniform(0.96, 1.0) if super().grade(answer) else 0.0


app = app_of(JudgeWithTolerance)
