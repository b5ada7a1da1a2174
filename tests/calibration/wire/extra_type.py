"""The reward is a number and a list of one number in turn."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Place, Walk


class AnyReward(Place):
    """The place, with a reward of any type."""

    reward: Any = None


class ExtraType(Walk):
    shows = AnyReward

    def observe(self, reward: Any) -> Any:
        """Wrap every second reward."""
        wrapped: Any = [reward]
        return super().observe(wrapped if self.steps and self.steps % 2 == 0 else reward)


app = app_of(ExtraType)
