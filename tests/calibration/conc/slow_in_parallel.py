"""Healthy: a reset takes 50 ms, in each session by itself, and none waits for another."""

import time
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class SlowInParallel(Ticket):
    def choose(self, ticket: Any) -> int:
        """Look for the message."""
        time.sleep(0.05)
        return super().choose(ticket)


app = app_of(SlowInParallel)
