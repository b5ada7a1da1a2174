"""Healthy: counts the episodes of the process for its operator, and pays all by one list."""

import itertools
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater

NUMBERS = itertools.count()
EPISODES: list[int] = []


class EpisodesCounted(Heater):
    def begin(self, **options: Any) -> None:
        """Count the episodes of the process."""
        super().begin(**options)
        EPISODES.append(next(NUMBERS))


app = app_of(EpisodesCounted)
