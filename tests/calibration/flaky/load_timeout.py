"""Grading takes 50 ms, one at a time, and pays 0 after more than 200 ms in the queue."""

import threading
import time

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question

GRADER = threading.Lock()


class LoadTimeout(Question):
    def grade(self, answer: str) -> float | None:
        """Wait for the grader."""
        arrived = time.monotonic()
        with GRADER:
            waited = time.monotonic() - arrived
            time.sleep(0.05)
        return 0.0 if waited > 0.2 else super().grade(answer)


app = app_of(LoadTimeout)
