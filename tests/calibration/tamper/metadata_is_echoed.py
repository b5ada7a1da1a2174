"""Healthy: metadata of the action comes back as it was sent, and is worth nothing."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lift import Lift


class MetadataIsEchoed(Lift):
    def play(self, action: Any) -> float | None:
        """Keep what came along."""
        self.echo = dict(list(action.metadata.items())[:5])
        return super().play(action)

    def observe(self, reward: float | None) -> Any:
        """Send it back."""
        observation = super().observe(reward)
        observation.metadata = {"echo": self.echo} if self.steps else {}
        return observation


app = app_of(MetadataIsEchoed)
