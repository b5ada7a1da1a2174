"""Slips come from a process-wide generator, seeded at reset: exact alone, broken with two."""

import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import SlipperyWalk

SHARED = random.Random()


class GlobalRng(SlipperyWalk):
    def generator(self, seed: int | None) -> random.Random:
        """Seed what all sessions share."""
        SHARED.seed(seed)
        return SHARED


app = app_of(GlobalRng)
