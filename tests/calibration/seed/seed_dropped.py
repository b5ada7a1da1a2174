"""Reset accepts a seed and draws the word from system entropy."""

import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.words import WordGame


class SeedDropped(WordGame):
    def generator(self, seed: int | None) -> random.Random:
        """Return system entropy."""
        return random.SystemRandom()


app = app_of(SeedDropped)
