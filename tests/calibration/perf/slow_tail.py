"""Each step reads a log of all steps ever taken, which only grows."""

import hashlib
import os
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Trader

LOG: list[bytes] = []


class SlowTail(Trader):
    def play(self, action: Any) -> float | None:
        """Trade, and read the log."""
        if len(LOG) < 3_000:  # spares the machine that runs this
            LOG.append(os.urandom(2_000))
        for entry in LOG:
            hashlib.sha256(entry).digest()
        return super().play(action)


app = app_of(SlowTail)
