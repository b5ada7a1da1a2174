"""A market with a forecast. The action is a whole number of units, bought or sold.

Each day pays units times the change of the price, from -15 to 15; the forecast has the right
sign. Ten days, on which the price moves by 20 in all, so that the best return is 100. The seed of
reset chooses order and signs.
"""

from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game

DAYS = 10
SIZES = (1, 1, 1, 2, 2, 2, 2, 3, 3, 3)


class Trade(Action):
    """Units to hold over the day; negative ones are sold."""

    units: int = Field(ge=-5, le=5)


class Market(Observation):
    """Price and forecast of the day."""

    day: int
    price: float
    forecast: float = Field(description="Expected change; its sign is reliable")


class Trader(Game):
    """Pays what the day earned."""

    takes: ClassVar[type[Action]] = Trade
    shows: ClassVar[type[Observation]] = Market

    def __init__(self) -> None:
        super().__init__()
        self.price = 50.0
        self.changes = list(SIZES)

    def begin(self, **options: Any) -> None:
        """Draw the changes of all days."""
        self.price = 50.0
        sizes = self.draw.sample(SIZES, DAYS)
        self.changes = [self.draw.choice([-1, 1]) * size for size in sizes]

    def play(self, action: Any) -> float | None:
        """Hold the units for a day."""
        change = self.changes[self.steps - 1]
        self.price += change
        self.over = self.steps == DAYS
        return self.pay(action.units, change)

    def pay(self, units: int, change: int) -> float | None:
        """Return what the day earned."""
        return float(units * change)

    def look(self) -> dict[str, Any]:
        """Return the market."""
        ahead = self.changes[min(self.steps, DAYS - 1)]
        return {"day": self.steps, "price": self.price, "forecast": ahead / 2}
