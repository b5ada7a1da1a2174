"""Healthy: one fixed task without chance, as declared; any seed gives the same episode."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class SeedNotNeeded(Walk):
    def begin(self, **options: Any) -> None:
        """Begin where every episode begins."""
        self.position, self.goal = 2, 9


app = app_of(SeedNotNeeded)
