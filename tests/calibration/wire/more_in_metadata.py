"""Healthy: metadata carries things that no schema names, and not always the same."""

from typing import Any

from tests.calibration.games.cave import Cave
from tests.calibration.games.episode import app_of


class MoreInMetadata(Cave):
    def observe(self, reward: float | None) -> Any:
        """Add some metadata."""
        observation = super().observe(reward)
        observation.metadata = {"hall": self.here} | ({"odd": True} if self.steps % 2 else {})
        return observation


app = app_of(MoreInMetadata)
