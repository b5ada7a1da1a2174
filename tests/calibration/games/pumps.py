"""Fill two tanks. Actions are nested: which tank, and how many litres. At most six doses.

The seed of reset draws how full the tanks are and how full they should be.
"""

from typing import Any, ClassVar, Literal

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game

DOSES = 6
NEAR = 0.5


class Dose(BaseModel):
    """One run of the pump; less than nothing drains."""

    tank: Literal["north", "south"]
    litres: float = Field(ge=-20, le=20)


class Pump(Action):
    """What to do with the pump."""

    dose: Dose


class Tank(BaseModel):
    """How much is in a tank, and how much should be."""

    level: float
    wanted: float


class Gauge(Observation):
    """Both tanks."""

    tanks: dict[str, Tank]
    doses_left: int


class Pumps(Game):
    """Pays the share of tanks that are near enough when both are, or no dose is left."""

    takes: ClassVar[type[Action]] = Pump
    shows: ClassVar[type[Observation]] = Gauge

    def __init__(self) -> None:
        super().__init__()
        self.levels: dict[str, float] = {}
        self.wanted: dict[str, float] = {}

    def begin(self, **options: Any) -> None:
        """Draw the tanks."""
        self.levels = {name: float(self.draw.randrange(2, 12)) for name in ("north", "south")}
        self.wanted = {
            name: level + self.draw.choice([-1, 1]) * self.draw.randrange(4, 12)
            for name, level in self.levels.items()
        }

    def play(self, action: Any) -> float | None:
        """Pump, and look whether it is enough."""
        self.pump(action.dose.tank, action.dose.litres)
        self.over = self.right() == 2 or self.steps == DOSES
        return self.right() / 2 if self.over else 0.0

    def pump(self, tank: str, litres: float) -> None:
        """Change the level of a tank."""
        self.levels[tank] = round(self.levels[tank] + litres, 3)

    def right(self) -> int:
        """Return the number of tanks that are near enough."""
        return sum(abs(self.levels[name] - self.wanted[name]) <= NEAR for name in self.levels)

    def look(self) -> dict[str, Any]:
        """Return the gauges."""
        return {
            "tanks": {
                name: {"level": level, "wanted": self.wanted[name]}
                for name, level in self.levels.items()
            },
            "doses_left": DOSES - self.steps,
        }
