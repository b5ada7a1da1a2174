"""Healthy: a cache of 32 entries makes the first calls slower than later ones, and then is full."""

import time
from functools import lru_cache
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


@lru_cache(maxsize=32)
def load(number: int) -> bytes:
    """Return a map, which takes its time when it is not at hand."""
    time.sleep(0.02)
    return bytes(10_000)


class WarmCache(Walk):
    def begin(self, **options: Any) -> None:
        """Begin on a map."""
        load(self.draw.randrange(32))
        super().begin(**options)


app = app_of(WarmCache)
