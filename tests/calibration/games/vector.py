"""K8: hit a point in space, five times. The seed of reset chooses the point."""

import math
from typing import Annotated, Any

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game

SHOTS = 5
Part = Annotated[float, Field(ge=-1, le=1)]


class Shot(Action):
    """A point of the cube."""

    vector: list[Part] = Field(min_length=3, max_length=3)


class Target(Observation):
    """The point to hit."""

    target: list[float]
    shots_left: int


class Vector(Game):
    """Pays 1 minus the distance, at least 0, for each of five shots."""

    takes = Shot
    shows = Target

    def __init__(self) -> None:
        super().__init__()
        self.target = [0.0, 0.0, 0.0]

    def begin(self, **options: Any) -> None:
        """Draw the point."""
        self.target = [round(self.draw.uniform(-1, 1), 3) for _ in range(3)]

    def play(self, action: Any) -> float | None:
        """Measure one shot."""
        self.over = self.steps == SHOTS
        return self.measure(action.vector)

    def measure(self, vector: list[float]) -> float:
        """Return what a shot is worth."""
        return 1.0 - min(1.0, math.dist(vector, self.target))

    def look(self) -> dict[str, Any]:
        """Return the point."""
        return {"target": self.target, "shots_left": SHOTS - self.steps}
