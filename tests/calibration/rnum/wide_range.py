"""Healthy: now and then a prize of 1000 or a trap of minus 500, as declared and as shown."""

from typing import Any

from tests.calibration.games.counter import Counter, Reading
from tests.calibration.games.episode import app_of

WORTH = {"plain": 1.0, "prize": 1000.0, "trap": -500.0}


class Signed(Reading):
    """The count, and what the next 1 is worth."""

    next: str
    truncated: bool


class WideRange(Counter):
    shows = Signed
    cap = 60

    def __init__(self) -> None:
        super().__init__()
        self.next = "plain"

    def begin(self, **options: Any) -> None:
        """Begin, and put the first sign up."""
        super().begin(**options)
        self.next = self.sign()

    def play(self, action: Any) -> float | None:
        """Add to the count, and get what the sign said."""
        reward = (super().play(action) or 0.0) * WORTH[self.next]
        self.next = self.sign()
        return reward

    def sign(self) -> str:
        """Draw what the next 1 is worth."""
        return str(self.draw.choices(list(WORTH), weights=[90, 5, 5])[0])

    def look(self) -> dict[str, Any]:
        """Add the sign."""
        return super().look() | {"next": self.next, "truncated": self.truncated}


app = app_of(WideRange)
