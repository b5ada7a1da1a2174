"""Healthy: the index of the tickets is built before the first session is served."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket

INDEX = sorted(str(number) for number in range(200_000))


class IndexAhead(Ticket):
    def grade(self, action: Any) -> float | None:
        """Grade by the index."""
        assert INDEX
        return super().grade(action)


app = app_of(IndexAhead)
