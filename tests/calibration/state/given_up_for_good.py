"""A word that was given up is not asked again: whoever resets in the middle gets another one."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.words import WordGame
from tests.calibration.games.words_oracle import WORDS


class GivenUpForGood(WordGame):
    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Any:
        """Take the next word of the list where one was given up."""
        given_up = not self.over
        super().reset(seed, episode_id, **options)
        if given_up:
            self.secret = WORDS[(WORDS.index(self.secret) + 1) % len(WORDS)]
        return self.observe(None)


app = app_of(GivenUpForGood)
