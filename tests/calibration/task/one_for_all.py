"""Sixteen tasks are declared, and whatever is asked for, the same one is served."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class OneForAll(Ticket):
    def choose(self, ticket: Any) -> int:
        """Return the first."""
        return 0


app = app_of(OneForAll)
