"""The first ticket waits three seconds for the index to be built, in the first step."""

import time
from functools import cache
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


@cache
def index() -> None:
    """Take long, once."""
    time.sleep(3)


class SlowFirstTicket(Ticket):
    def grade(self, action: Any) -> float | None:
        """Grade by the index."""
        index()
        return super().grade(action)


app = app_of(SlowFirstTicket)
