"""K7: a counter that goes on for ever. The seed of reset chooses where it begins."""

from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game


class Count(Action):
    """What to add."""

    add: int = Field(ge=0, le=1)


class Reading(Observation):
    """What the counter shows."""

    count: int


class Counter(Game):
    """Pays the change of the count, and never ends."""

    takes = Count
    shows: ClassVar[type[Observation]] = Reading

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def begin(self, **options: Any) -> None:
        """Begin at a small count."""
        self.count = self.draw.randrange(10)

    def play(self, action: Any) -> float | None:
        """Add to the count."""
        before = self.count
        self.count += action.add
        return float(self.count - before)

    def look(self) -> dict[str, Any]:
        """Return the count."""
        return {"count": self.count}
