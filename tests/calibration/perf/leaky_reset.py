"""Keeps every episode and reads them all at each reset: time and memory grow."""

import hashlib
import os
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk

HISTORY: list[bytes] = []


class LeakyReset(Walk):
    def begin(self, **options: Any) -> None:
        """Add an episode to the history, and count the history."""
        super().begin(**options)
        if len(HISTORY) < 2_000:  # spares the machine that runs this
            HISTORY.append(os.urandom(60_000))
        for episode in HISTORY:
            hashlib.sha256(episode).digest()


app = app_of(LeakyReset)
