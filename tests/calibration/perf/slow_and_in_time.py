"""Healthy: one voucher takes long, and less than is declared."""

import time
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class SlowAndInTime(Ledger):
    def grade(self, action: Any) -> float | None:
        """Look the third voucher up in the archive."""
        if self.number == 2:
            time.sleep(0.3)
        return super().grade(action)


app = app_of(SlowAndInTime)
