"""The seed is used only if it is true, so that 0 is random while 1, 2 and 3 replay."""

import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.words import WordGame


class SeedZero(WordGame):
    def generator(self, seed: int | None) -> random.Random:
        """Return a generator of the seed, or of none."""
        return random.Random(seed or None)


app = app_of(SeedZero)
