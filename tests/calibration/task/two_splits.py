"""Healthy: two splits of fifteen and five tasks, as declared."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Sums


class TwoSplits(Sums):
    def list_splits(self) -> list[str]:
        """Return the names of the splits."""
        return ["train", "test"]

    def num_tasks(self, split: str) -> int:
        """Return how many tasks a split has."""
        return {"train": 15, "test": 5}[split] if super().num_tasks(split) else 0

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return one task."""
        if index not in range(self.num_tasks(split)):
            raise IndexError(f"split {split} has no task {index}")
        place = index + (15 if split == "test" else 0)
        return {"id": f"{split}-{index}", "index": index, "question": self.questions[place]}

    def begin(self, **options: Any) -> None:
        """Ask a question of the split, or of the first one."""
        if not options.get("split"):
            options |= {"split": "train", "index": self.draw.randrange(15)}
        super().begin(**options)


app = app_of(TwoSplits)
