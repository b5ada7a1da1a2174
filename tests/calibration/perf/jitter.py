"""Healthy: steps take up to 20 ms, some more and some less, with no trend."""

import random
import time
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket

ENTROPY = random.SystemRandom()


class Jitter(Ticket):
    def grade(self, action: Any) -> float | None:
        """Grade after a while."""
        time.sleep(ENTROPY.uniform(0.0, 0.02))
        return super().grade(action)


app = app_of(Jitter)
