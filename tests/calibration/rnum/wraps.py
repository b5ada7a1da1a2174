"""The sum is kept in six bits and the reward is its change: minus 63 at the wrap."""

from typing import Any

from tests.calibration.games.counter import Counter
from tests.calibration.games.episode import app_of


class Wraps(Counter):
    def play(self, action: Any) -> float | None:
        """Add to the count."""
        before = self.count
        self.count = (self.count + action.add) % 64
        return float(self.count - before)


app = app_of(Wraps)
