"""Where the database fails, on a negative limit, the reward of the last answer is given again."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import TRIES, Query


class StaleReward(Query):
    def __init__(self) -> None:
        super().__init__()
        self.last: float | None = 0.0

    def check(self, action: Any) -> None:
        """Take everything."""

    def play(self, action: Any) -> float | None:
        """Ask the database, or give what there was."""
        if action.limit is not None and action.limit < 0:
            self.found = None
            self.over = self.steps == TRIES
            return self.last
        self.last = super().play(action)
        return self.last


app = app_of(StaleReward)
