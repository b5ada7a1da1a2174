"""Healthy: the judge differs from task to task, by the seed of the episode; it repeats."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class SeededJudge(Ticket):
    def grade(self, action: Any) -> float | None:
        """Grade with the noise of the episode."""
        return (super().grade(action) or 0.0) * self.draw.uniform(0.95, 1.0)


app = app_of(SeededJudge)
