"""Railway points: send three trains to their platforms. Actions are lists of booleans.

The plan on the wall says how the three points lie for each platform; the seed draws the plan and
the trains.
"""

from typing import Annotated, Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game

TRAINS = 3
PLATFORMS = ("amber", "birch", "cedar", "delta")


class Points(Action):
    """How the three points lie: straight is false, branching is true."""

    points: Annotated[list[bool], Field(min_length=3, max_length=3)]


class Signal(Observation):
    """The plan, the train that waits, and what came of the last one."""

    plan: dict[str, list[bool]]
    waiting: str = Field(description="Platform of the waiting train; empty where none is left")
    arrived: list[bool] = Field(description="Of each train so far, whether it came to its platform")


class Railway(Game):
    """Pays a third for each train that comes to its platform."""

    takes: ClassVar[type[Action]] = Points
    shows: ClassVar[type[Observation]] = Signal

    def __init__(self) -> None:
        super().__init__()
        self.plan: dict[str, list[bool]] = {}
        self.trains: list[str] = []
        self.arrived: list[bool] = []

    def begin(self, **options: Any) -> None:
        """Draw the plan and the trains."""
        ways = self.draw.sample(range(8), len(PLATFORMS))
        self.plan = {
            name: [bool(way >> bit & 1) for bit in range(3)]
            for name, way in zip(PLATFORMS, ways, strict=True)
        }
        self.trains = [self.draw.choice(PLATFORMS) for _ in range(TRAINS)]
        self.arrived = []

    def play(self, action: Any) -> float | None:
        """Let the waiting train pass."""
        there = list(action.points) == self.plan[self.trains[len(self.arrived)]]
        self.arrived.append(there)
        self.over = len(self.arrived) == TRAINS
        return self.pay(there)

    def pay(self, there: bool) -> float | None:
        """Return what a train is worth."""
        return there / TRAINS

    def look(self) -> dict[str, Any]:
        """Return the plan and the train."""
        left = self.trains[len(self.arrived) :]
        return {
            "plan": self.plan,
            "waiting": left[0] if left else "",
            "arrived": list(self.arrived),
        }
