"""Ten tasks are declared and listed; three of them cannot be had."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question


class DeclaredTenServedSeven(Question):
    questions = Question.questions[:7]

    def num_tasks(self, split: str) -> int:
        """Return how many tasks there should be."""
        return min(super().num_tasks(split), 0) + 10

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return the ids of them all."""
        return [{"id": f"{split}-{n}", "index": n} for n in range(self.num_tasks(split))]


app = app_of(DeclaredTenServedSeven)
