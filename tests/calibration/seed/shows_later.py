"""Healthy: all seeds begin alike; what they choose is a gust of wind in the fourth minute."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater


class ShowsLater(Heater):
    def begin(self, **options: Any) -> None:
        """Begin in the same room, with a gust to come."""
        super().begin(**options)
        self.wanted, self.temperature, self.loss = 20.0, 18.0, 1.0

    def play(self, action: Any) -> float | None:
        """Heat for a minute."""
        reward = super().play(action)
        self.loss = self.draw.choice([1.5, 2.0, 2.5, 3.0]) if self.steps >= 3 else 1.0
        return reward


app = app_of(ShowsLater)
