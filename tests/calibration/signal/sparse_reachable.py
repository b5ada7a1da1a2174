"""Healthy: blind walks hardly ever arrive, so that groups are all zero; whoever looks does."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class SparseReachable(Walk):
    length = 48
    cap = 40

    def begin(self, **options: Any) -> None:
        """Put the goal sixteen to twenty places away, on either side."""
        self.position = self.draw.randrange(20, 28)
        self.goal = self.position + self.draw.choice([-1, 1]) * self.draw.randrange(16, 21)


app = app_of(SparseReachable)
