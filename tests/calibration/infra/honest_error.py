"""Healthy: every tenth reset fails and says so, with a stable code and no reward; retry works."""

import itertools
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk

RESETS = itertools.count()


class HonestError(Walk):
    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Any:
        """Begin an episode, or say that it cannot begin now."""
        if next(RESETS) % 10 == 9:
            raise RuntimeError("BACKEND_BUSY: nothing was begun, try again")
        return super().reset(seed=seed, episode_id=episode_id, **options)


app = app_of(HonestError)
