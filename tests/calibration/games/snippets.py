"""A small program is to be written: the action is its code; three tries.

Code runs with a handful of names and no imports. The seed of reset chooses the numbers.
"""

from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game

TRIES = 3


class Program(Action):
    """What is to be run."""

    code: str = Field(max_length=2000, description="Python statements; `put` shows a value")


class Console(Observation):
    """The numbers, the work to be done with them, and what the last program showed."""

    numbers: list[int]
    work: str
    shown: list[str]
    problem: str = ""


class Snippets(Game):
    """Pays 1 and ends where the program shows the sum of the numbers."""

    takes: ClassVar[type[Action]] = Program
    shows: ClassVar[type[Observation]] = Console
    cap = TRIES

    def __init__(self) -> None:
        super().__init__()
        self.numbers: list[int] = []
        self.shown: list[str] = []
        self.problem = ""

    def begin(self, **options: Any) -> None:
        """Draw the numbers."""
        self.numbers = self.draw.sample(range(100, 999), 6)
        self.shown, self.problem = [], ""

    def play(self, action: Any) -> float | None:
        """Run the program and compare."""
        self.shown, self.problem = [], ""
        self.run(action.code)
        self.over = self.shown == [str(sum(self.numbers))]
        return float(self.over)

    def run(self, code: str) -> None:
        """Run a program; what goes wrong in it is told."""
        try:
            self.execute(code)
        except Exception as fault:
            self.problem = f"{type(fault).__name__}: {fault}"
        except SystemExit:
            self.problem = "the program has ended itself"

    def execute(self, code: str) -> None:
        """Run a program with the names that it may use."""
        exec(code, self.names())

    def names(self) -> dict[str, Any]:
        """Return the names that a program may use."""
        known = {"sum": sum, "len": len, "max": max, "exit": leave, "SystemExit": SystemExit}
        return {"__builtins__": known, "numbers": list(self.numbers), "put": self.put}

    def put(self, value: Any) -> None:
        """Show a value."""
        self.shown = [*self.shown[:9], str(value)[:200]]

    def look(self) -> dict[str, Any]:
        """Return the console."""
        return {
            "numbers": self.numbers,
            "work": "Show the sum of `numbers`, and nothing else.",
            "shown": self.shown,
            "problem": self.problem,
        }


def leave(code: int = 0) -> None:
    """End the program."""
    raise SystemExit(code)
