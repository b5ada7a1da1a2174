"""The first reset takes three seconds, the later ones a few milliseconds."""

import time
from functools import cache
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


@cache
def model() -> None:
    """Take long, once."""
    time.sleep(3)


class SlowCold(Walk):
    def begin(self, **options: Any) -> None:
        """Load what is needed."""
        model()
        super().begin(**options)


app = app_of(SlowCold)
