"""Healthy: paid only for a way of twelve right steps, which no blind policy finds."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Place, Walk


class Dark(Place):
    """A line in the dark: the lantern comes before the goal."""

    lantern: int
    lit: bool


class HardButReachable(Walk):
    shows = Dark
    cap = 12
    length = 30

    def __init__(self) -> None:
        super().__init__()
        self.lantern, self.lit = 0, False

    def begin(self, **options: Any) -> None:
        """Put the lantern four places away, and the goal four places away on the other side."""
        side = self.draw.choice([-4, 4])
        self.position = self.draw.randrange(5, 25)
        self.lantern, self.goal, self.lit = self.position + side, self.position - side, False

    def walk(self, by: int) -> None:
        """Move the walker; without light the goal is not seen."""
        super().walk(by)
        self.lit = self.lit or self.position == self.lantern
        self.over = self.lit and self.position == self.goal

    def pay(self) -> float | None:
        """Pay at the goal, with light."""
        return float(self.over)

    def look(self) -> dict[str, Any]:
        """Add the lantern."""
        return super().look() | {"lantern": self.lantern, "lit": self.lit}


app = app_of(HardButReachable)
