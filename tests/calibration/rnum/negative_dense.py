"""Healthy: every step costs 1 and the goal is always seven away: the best return is minus 7."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class NegativeDense(Walk):
    length = 24

    def begin(self, **options: Any) -> None:
        """Put the goal seven places away, on either side."""
        self.position = self.draw.randrange(7, self.length - 7)
        self.goal = self.position + self.draw.choice([-7, 7])

    def pay(self) -> float | None:
        """Return what a step costs."""
        return -1.0


app = app_of(NegativeDense)
