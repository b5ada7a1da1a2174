"""A table to be filtered. The action is a nested object; three tries.

Pays 1 for a filter that gives exactly the rows asked for. Eight tasks, chosen by the reset
argument `task`, else by the seed.
"""

import operator
import random
from typing import Any, ClassVar, Literal

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game

TASKS = 8
TRIES = 3
WORDS = {">": "above", "<": "below", "=": "equal to"}


class Where(BaseModel):
    """A condition on one column."""

    column: Literal["price", "stock", "year"]
    sign: Literal[">", "<", "="]
    value: int


class Filter(Action):
    """A question to the table."""

    where: Where
    limit: int | None = Field(default=None, description="Most rows; all where absent")


class Row(BaseModel):
    """One article."""

    id: int
    price: int
    stock: int
    year: int


class Sheet(Observation):
    """The table, the question, and what the last filter gave."""

    rows: list[Row]
    question: str
    found: list[int] | None = None
    tries_left: int


class Query(Game):
    """Pays 1 and ends on the right rows; ends after three tries."""

    takes: ClassVar[type[Action]] = Filter
    shows: ClassVar[type[Observation]] = Sheet

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[dict[str, int]] = []
        self.where: dict[str, Any] = {}
        self.found: list[int] | None = None
        self.number = 0

    def begin(self, **options: Any) -> None:
        """Lay the table of a task out."""
        task = options.get("task")
        self.number = self.draw.randrange(TASKS) if task is None else int(task)
        if self.number not in range(TASKS):
            raise ValueError(f"there is no task {self.number}")
        draw = random.Random(f"query {self.number}")
        self.rows = [
            {
                "id": 100 + place,
                "price": draw.randrange(10, 90),
                "stock": draw.randrange(0, 40),
                "year": draw.randrange(2001, 2025),
            }
            for place in range(8)
        ]
        column = draw.choice(["price", "stock", "year"])
        middle = sorted(row[column] for row in self.rows)[draw.choice([2, 3, 4])]
        self.where = {"column": column, "sign": draw.choice("><="), "value": middle}
        self.found = None

    def check(self, action: Any) -> None:
        """No negative number of rows."""
        if action.limit is not None and action.limit < 0:
            raise ValueError("limit must not be negative")

    def play(self, action: Any) -> float | None:
        """Filter and compare."""
        self.found = select(self.rows, action.where.model_dump())[: action.limit]
        reward = self.grade()
        self.over = self.is_right() or self.steps == TRIES
        return reward

    def is_right(self) -> bool:
        """Return whether the rows found are those asked for."""
        return self.found == select(self.rows, self.where)

    def grade(self) -> float | None:
        """Return what the rows found are worth."""
        return float(self.is_right())

    def look(self) -> dict[str, Any]:
        """Return the table."""
        condition = f"{self.where['column']} {WORDS[self.where['sign']]} {self.where['value']}"
        return {
            "rows": self.rows,
            "question": f"Which articles are there with {condition}?",
            "found": self.found,
            "tries_left": TRIES - self.steps,
        }


def select(rows: list[dict[str, int]], where: dict[str, Any]) -> list[int]:
    """Return the ids of the rows that fulfil a condition."""
    column, sign, value = where["column"], where["sign"], where["value"]
    holds = {">": operator.gt, "<": operator.lt, "=": operator.eq}[sign]
    return [row["id"] for row in rows if holds(row[column], value)]
