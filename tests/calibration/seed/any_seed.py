"""Healthy: hashes whatever seed it is given, large, negative or text, to a table."""

import random
from hashlib import sha256

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query


class AnySeed(Query):
    def generator(self, seed: int | None) -> random.Random:
        """Return the generator of a digest."""
        return random.Random(None if seed is None else sha256(repr(seed).encode()).digest())


app = app_of(AnySeed)
