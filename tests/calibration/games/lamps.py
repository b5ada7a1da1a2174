"""A row of lamps to be put out. The action is an array of at most two switches.

Pays 1 when all are out. Every switch turns its own lamp and those beside it. The seed of reset
chooses which lamps burn, never so that more than four switches are needed.
"""

from typing import Annotated, Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game
from tests.calibration.games.lamps_oracle import SIZE, toggled

Switch = Annotated[int, Field(ge=0, le=SIZE - 1)]


class Press(Action):
    """Switches to press, in this order."""

    press: list[Switch] = Field(max_length=2)


class Lights(Observation):
    """Which lamps burn."""

    lamps: list[bool]
    presses_left: int
    truncated: bool = False


class Lamps(Game):
    """Pays 1 when all lamps are out."""

    takes: ClassVar[type[Action]] = Press
    shows: ClassVar[type[Observation]] = Lights
    cap = 6
    hardest: ClassVar[int] = 4

    def __init__(self) -> None:
        super().__init__()
        self.lamps = [False] * SIZE

    def begin(self, **options: Any) -> None:
        """Press some switches on dark lamps."""
        lamps = [False] * SIZE
        for switch in self.draw.sample(range(SIZE), self.draw.randrange(2, self.hardest + 1)):
            lamps = toggled(lamps, switch)
        self.lamps = lamps

    def play(self, action: Any) -> float | None:
        """Press."""
        for switch in action.press:
            self.lamps = toggled(self.lamps, switch)
        self.over = not any(self.lamps)
        return self.pay(action)

    def pay(self, action: Any) -> float | None:
        """Return the reward of a press."""
        return float(not any(self.lamps))

    def look(self) -> dict[str, Any]:
        """Return the lamps."""
        return {
            "lamps": self.lamps,
            "presses_left": (self.cap or 0) - self.steps,
            "truncated": self.truncated,
        }
