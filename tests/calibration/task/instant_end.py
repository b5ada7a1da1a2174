"""One seed in ten ends on the first step, whatever is done."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class InstantEnd(Walk):
    def __init__(self) -> None:
        super().__init__()
        self.doomed = False

    def begin(self, **options: Any) -> None:
        """Begin, sometimes on lost ground."""
        super().begin(**options)
        self.doomed = self.draw.random() < 0.1

    def play(self, action: Any) -> float | None:
        """Walk, or be lost at once."""
        if self.doomed:
            self.over = True
            return 0.0
        return super().play(action)


app = app_of(InstantEnd)
