"""Healthy: grading takes 30 ms, for all sessions at once, and is always the same."""

import time
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.mail import Mail


class SlowGrader(Mail):
    def grade(self, fields: Any) -> float | None:
        """Grade at leisure."""
        time.sleep(0.03)
        return super().grade(fields)


app = app_of(SlowGrader)
