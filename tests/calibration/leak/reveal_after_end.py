"""Healthy: the answer is shown when the episode is over, and not before."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.words import Board, WordGame


class Revealing(Board):
    """The board, and at the end the word."""

    solution: str | None = None


class RevealAfterEnd(WordGame):
    shows = Revealing

    def look(self) -> dict[str, Any]:
        """Add the word, once it is over."""
        return super().look() | {"solution": self.secret if self.over else None}


app = app_of(RevealAfterEnd)
