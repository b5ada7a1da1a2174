"""The store is made anew when an episode ends, so that one begun in the middle keeps the old."""

from typing import Any

from tests.calibration.games.desk import ToolDesk
from tests.calibration.games.episode import app_of


class CleanedAtTheEnd(ToolDesk):
    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Any:
        """Keep the store of an episode that has not ended."""
        left = {} if self.over else self.store
        super().reset(seed, episode_id, **options)
        self.store |= left
        return self.observe(None)


app = app_of(CleanedAtTheEnd)
