"""Every tenth reset fails inside, and the answer is an observation of reward 0 that is done."""

import itertools
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk

RESETS = itertools.count()


class ErrorIsZero(Walk):
    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Any:
        """Begin an episode, or hide that it cannot."""
        if next(RESETS) % 10 == 9:
            self.over = True
            return self.observe(0.0)
        return super().reset(seed=seed, episode_id=episode_id, **options)


app = app_of(ErrorIsZero)
