"""A safe with a code of four digits, one to six. The action is an array of numbers; ten tries.

Pays 1 when it opens. After the last try it stays shut: a loss, not a cut. The seed of reset
chooses the code.
"""

from typing import Annotated, Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game
from tests.calibration.games.safe_oracle import DIGITS, answer

TRIES = 10
Digit = Annotated[int, Field(ge=1, le=DIGITS)]


class Code(Action):
    """A code to try."""

    code: list[Digit] = Field(min_length=4, max_length=4)


class Tried(BaseModel):
    """A try and its answer."""

    code: list[int]
    in_place: int
    elsewhere: int


class Dial(Observation):
    """The tries so far."""

    tries: list[Tried]
    tries_left: int
    maker: str = Field(description="What is engraved on the door")


class Safe(Game):
    """Pays 1 for the code, else 0."""

    takes: ClassVar[type[Action]] = Code
    shows: ClassVar[type[Observation]] = Dial

    def __init__(self) -> None:
        super().__init__()
        self.secret: tuple[int, ...] = (1, 1, 1, 1)
        self.tries: list[dict[str, Any]] = []

    def begin(self, **options: Any) -> None:
        """Draw the code."""
        self.secret = tuple(self.draw.randint(1, DIGITS) for _ in range(4))
        self.tries = []

    def play(self, action: Any) -> float | None:
        """Try a code."""
        code = tuple(action.code)
        in_place, elsewhere = answer(code, self.secret)
        self.tries.append({"code": list(code), "in_place": in_place, "elsewhere": elsewhere})
        self.over = code == self.secret or len(self.tries) == TRIES
        return float(code == self.secret)

    def engraving(self) -> str:
        """Return what is engraved on the door."""
        return "Harbour Safe Works"

    def look(self) -> dict[str, Any]:
        """Return the tries."""
        return {
            "tries": self.tries,
            "tries_left": TRIES - len(self.tries),
            "maker": self.engraving(),
        }
