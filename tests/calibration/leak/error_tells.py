"""The error that answers an empty or wordy answer names the right one."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Fractions
from tests.calibration.games.question_oracle import answer_of


class ErrorTells(Fractions):
    def check(self, action: Any) -> None:
        """Refuse what is no number."""
        try:
            float(action.answer)
        except ValueError:
            text = f"cannot compare {action.answer[:20]!r} with {answer_of(self.question)}"
            raise ValueError(text) from None


app = app_of(ErrorTells)
