"""Healthy: every twentieth reset of the process tidies up for 50 ms, with no trend."""

import itertools
import time
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lift import Lift

RESETS = itertools.count()


class TidiesUp(Lift):
    def begin(self, **options: Any) -> None:
        """Tidy up now and then."""
        if next(RESETS) % 20 == 19:
            time.sleep(0.05)
        super().begin(**options)


app = app_of(TidiesUp)
