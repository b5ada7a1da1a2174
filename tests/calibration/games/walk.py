"""K2: walk along a line to the goal. The seed of reset chooses start and goal."""

from typing import Any, ClassVar, Literal

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game

SLIP = 0.3
MOVES = {"left": -1, "right": 1, "stay": 0}


class Move(Action):
    """One step."""

    move: Literal["left", "right", "stay"]


class Place(Observation):
    """Where the walker is."""

    position: int
    goal: int
    steps_left: int
    truncated: bool = Field(default=False, description="The steps ran out before the goal")


class Walk(Game):
    """Pays 1 at the goal and 0 elsewhere."""

    takes: ClassVar[type[Action]] = Move
    shows: ClassVar[type[Observation]] = Place
    cap = 20
    length: ClassVar[int] = 12

    def __init__(self) -> None:
        super().__init__()
        self.position = self.goal = 0

    def begin(self, **options: Any) -> None:
        """Put walker and goal on different places."""
        self.position, self.goal = self.draw.sample(range(self.length), 2)

    def play(self, action: Any) -> float | None:
        """Walk one place; the ends of the line hold."""
        self.walk(MOVES[action.move])
        return self.pay()

    def walk(self, by: int) -> None:
        """Move the walker."""
        self.position = min(max(self.position + by, 0), self.length - 1)
        self.over = self.position == self.goal

    def pay(self) -> float | None:
        """Return the reward of the place reached."""
        return float(self.position == self.goal)

    def look(self) -> dict[str, Any]:
        """Return the places and what is left."""
        return {
            "position": self.position,
            "goal": self.goal,
            "steps_left": (self.cap or 0) - self.steps,
            "truncated": self.truncated,
        }


class SlipperyWalk(Walk):
    """On this line one slips now and then, and then goes anywhere."""

    cap = 40

    def play(self, action: Any) -> float | None:
        """Walk, or slip."""
        slips = self.draw.random() < SLIP
        self.walk(self.draw.choice([-1, 0, 1]) if slips else MOVES[action.move])
        return self.pay()
