"""A room to be kept warm. The action is one number.

Each minute pays 1 minus a fifth of what the room is off, at least 0. The seed of reset chooses the
temperatures and how much the room loses.
"""

from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game


class Power(Action):
    """How much to heat, in kilowatts."""

    power: float = Field(ge=0, le=10)


class Room(BaseModel):
    """Degrees."""

    temperature: float
    wanted: float
    loss: float = Field(description="Degrees lost in the next minute without heating")


class Meter(Observation):
    """What the thermometer shows."""

    room: Room
    minutes_left: int


class Heater(Game):
    """Pays for warmth, minute by minute, and ends after eight."""

    takes: ClassVar[type[Action]] = Power
    shows: ClassVar[type[Observation]] = Meter
    minutes: ClassVar[int] = 8

    def __init__(self) -> None:
        super().__init__()
        self.temperature = self.wanted = self.loss = 0.0

    def begin(self, **options: Any) -> None:
        """Draw a cool room."""
        self.wanted = float(self.draw.randrange(18, 24))
        self.temperature = self.wanted - self.draw.randrange(1, 4)
        self.loss = self.draw.choice([0.5, 1.0, 1.5])

    def play(self, action: Any) -> float | None:
        """Heat for a minute."""
        self.temperature = round(self.temperature + 0.5 * action.power - self.loss, 6)
        self.over = self.steps == self.minutes
        return self.pay()

    def pay(self) -> float | None:
        """Return the reward of a minute."""
        return 1.0 - min(1.0, abs(self.temperature - self.wanted) / 5)

    def look(self) -> dict[str, Any]:
        """Return the reading."""
        return {
            "room": {
                "temperature": self.temperature, "wanted": self.wanted, "loss": self.loss,
            },
            "minutes_left": self.minutes - self.steps,
        }  # fmt: skip
