"""A lift with one passenger. Actions are one of two nested objects.

Opening the door where the passenger waits pays a half, and opening it where the passenger wants
to go the other half. The seed of reset chooses the floors.
"""

from typing import Any, ClassVar, Literal

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game

FLOORS = 8


class Go(BaseModel):
    """Drive to a floor."""

    kind: Literal["go"]
    floor: int = Field(ge=0, le=FLOORS - 1)


class Open(BaseModel):
    """Open the door for a moment."""

    kind: Literal["open"]


class Order(Action):
    """One command to the lift."""

    command: Go | Open = Field(discriminator="kind")


class Rider(BaseModel):
    """Where the passenger waits and wants to go."""

    at: int
    to: int


class Shaft(Observation):
    """The lift from inside."""

    floor: int
    rider: Rider
    aboard: bool
    message: str
    truncated: bool = False


class Lift(Game):
    """Pays a half for fetching and a half for bringing."""

    takes: ClassVar[type[Action]] = Order
    shows: ClassVar[type[Observation]] = Shaft
    cap = 10

    def __init__(self) -> None:
        super().__init__()
        self.floor = self.at = self.to = 0
        self.aboard = False
        self.message = ""

    def begin(self, **options: Any) -> None:
        """Put lift and passenger on different floors."""
        self.floor, self.at, self.to = self.draw.sample(range(FLOORS), 3)
        self.aboard = False
        self.message = "a passenger calls"

    def play(self, action: Any) -> float | None:
        """Drive, or open the door."""
        command = action.command
        if command.kind == "go":
            self.floor = command.floor
            self.message = f"now on floor {self.floor}"
            return 0.0
        if not self.aboard and self.floor == self.at:
            self.aboard = True
            self.message = "the passenger steps in"
            return 0.5
        if self.aboard and self.floor == self.to:
            self.over = True
            self.message = "the passenger steps out"
            return 0.5
        self.message = "nobody is there"
        return 0.0

    def look(self) -> dict[str, Any]:
        """Return the floors."""
        return {
            "floor": self.floor,
            "rider": {"at": self.at, "to": self.to},
            "aboard": self.aboard,
            "message": self.message,
            "truncated": self.truncated,
        }
