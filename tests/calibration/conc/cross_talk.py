"""All sessions count on one and the same counter."""

from typing import Any

from tests.calibration.games.counter import Counter
from tests.calibration.games.episode import app_of

SHARED = {"count": 0}


class CrossTalk(Counter):
    def begin(self, **options: Any) -> None:
        """Set the counter of all."""
        super().begin(**options)
        SHARED["count"] = self.count

    def play(self, action: Any) -> float | None:
        """Add to the counter of all."""
        self.count = SHARED["count"]
        reward = super().play(action)
        SHARED["count"] = self.count
        return reward


app = app_of(CrossTalk)
