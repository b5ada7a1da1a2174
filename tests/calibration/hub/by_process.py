"""The plan depends on the process that serves it: it repeats on one host, and on no two."""

import os
import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class ByProcess(Railway):
    def generator(self, seed: int | None) -> random.Random:
        """Draw from seed and process."""
        return random.Random(f"{seed} {os.getpid()}")


app = app_of(ByProcess)
