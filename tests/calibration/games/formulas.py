"""A sheet with one cell to be filled: the action names it and gives its formula; one try."""

from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game
from tests.calibration.games.snippets import leave

CELLS = ("B1", "B2", "B3", "B4")


class Entry(Action):
    """A formula for a cell."""

    cell: str = Field(max_length=2)
    expression: str = Field(max_length=500, description="Python expression over `column`")


class Column(Observation):
    """The column above, and what the cell shows."""

    column: list[int]
    cell: str
    value: str = ""


class Formulas(Game):
    """Pays 1 where the right cell shows the sum of its column."""

    takes: ClassVar[type[Action]] = Entry
    shows: ClassVar[type[Observation]] = Column

    def __init__(self) -> None:
        super().__init__()
        self.column: list[int] = []
        self.cell, self.value = CELLS[0], ""

    def begin(self, **options: Any) -> None:
        """Draw a column and a cell."""
        self.column = self.draw.sample(range(1000, 9999), 5)
        self.cell, self.value = self.draw.choice(CELLS), ""

    def play(self, action: Any) -> float | None:
        """Work the formula out."""
        self.value = self.worked_out(action.expression)
        self.over = True
        return float(action.cell == self.cell and self.value == str(sum(self.column)))

    def worked_out(self, expression: str) -> str:
        """Return what a formula comes to; what goes wrong in it is shown as sheets do."""
        try:
            return self.evaluate(expression)
        except (Exception, SystemExit):
            return "#ERROR"

    def evaluate(self, expression: str) -> str:
        """Return the value of a formula."""
        known = {"sum": sum, "max": max, "exit": leave}
        return str(eval(expression, {"__builtins__": known, "column": list(self.column)}))[:200]

    def look(self) -> dict[str, Any]:
        """Return the column and the cell."""
        return {"column": self.column, "cell": self.cell, "value": self.value}
