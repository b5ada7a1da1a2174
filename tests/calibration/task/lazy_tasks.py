"""Healthy: the list of tasks is slow and comes in pages, but it is complete."""

import time
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question


class LazyTasks(Question):
    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return the first page."""
        time.sleep(0.3)
        return [self.get_task(split, index) for index in range(5)]

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Return one page."""
        time.sleep(0.3)
        return [self.get_task(split, n) for n in range(self.num_tasks(split))[start:stop]]


app = app_of(LazyTasks)
