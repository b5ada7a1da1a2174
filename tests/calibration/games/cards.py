"""K6: three cards, take the greatest. One action, and it is over."""

from typing import Any

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game


class Pick(Action):
    """One card."""

    card: int = Field(ge=0, le=2, description="Place of the card, 0 to 2")


class Hand(Observation):
    """The cards on the table."""

    numbers: list[int]


class Cards(Game):
    """Pays 1 for the greatest and 0 for the others."""

    takes = Pick
    shows = Hand

    def __init__(self) -> None:
        super().__init__()
        self.numbers = [0, 1, 2]

    def begin(self, **options: Any) -> None:
        """Lay three different numbers out."""
        self.numbers = self.draw.sample(range(1, 100), 3)

    def play(self, action: Any) -> float | None:
        """Take a card."""
        self.over = True
        return float(self.raw(action.card) == 1.0)

    def raw(self, card: int) -> float:
        """Return the points of the game itself: one for the greatest, little for the others."""
        return 1.0 if self.numbers[card] == max(self.numbers) else 0.1

    def look(self) -> dict[str, Any]:
        """Return the numbers."""
        return {"numbers": self.numbers}
