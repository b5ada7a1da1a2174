"""Healthy: games that were given up are counted by the server, and the seed chooses the next."""

from typing import Any, ClassVar

from tests.calibration.games.episode import app_of
from tests.calibration.games.words import WordGame


class GivenUpAndAskedAgain(WordGame):
    given_up: ClassVar[int] = 0

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Any:
        """Count a game that has not ended."""
        type(self).given_up += not self.over
        return super().reset(seed, episode_id, **options)


app = app_of(GivenUpAndAskedAgain)
