"""The answer is taken, but the episode does not end and no reward comes."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question


class NeverDone(Question):
    def play(self, action: Any) -> float | None:
        """Take the answer."""
        self.remark = f"submitted: {action.answer}"
        return None


app = app_of(NeverDone)
