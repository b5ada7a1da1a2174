"""Healthy: the number of tasks is declared as unbounded, and a level is taken for a seed."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class InfiniteGenerator(Walk):
    def begin(self, **options: Any) -> None:
        """Draw from the level, where one is asked for."""
        level = options.get("level")
        self.draw = self.draw if level is None else self.generator(int(level))
        super().begin(**options)


app = app_of(InfiniteGenerator)
