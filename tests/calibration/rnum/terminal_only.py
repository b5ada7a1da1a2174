"""Healthy: pays at the end of an episode only, as declared; before, there is no reward."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps


class TerminalOnly(Lamps):
    def observe(self, reward: float | None) -> Any:
        """Leave the reward out before the end."""
        return super().observe(reward if self.over else None)


app = app_of(TerminalOnly)
