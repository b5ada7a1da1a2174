"""K5: a desk with tools over a small store: bring it into the state that is asked for.

Ten tasks, chosen by the reset argument `task`, else by the seed. The store is made anew at reset.
"""

import random
from typing import Any, ClassVar, Literal

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game

KEYS = ("colour", "size", "label", "shelf", "owner", "status")
VALUES = ("red", "small", "fragile", "north", "mira", "open", "blue", "large", "south", "closed")
TASKS = 10


class Call(Action):
    """One tool call; `say` ends the episode."""

    tool: Literal["get", "set", "delete", "say"]
    key: Literal["colour", "size", "label", "shelf", "owner", "status"] | None = None
    value: str | None = Field(default=None, max_length=200)


class Desk(Observation):
    """The request, the tools, and what the last call gave."""

    request: str
    tools: list[str]
    result: str | None = None
    truncated: bool = False


class ToolDesk(Game):
    """Pays 1 at `say` where the store equals the goal state, else 0."""

    takes = Call
    shows: ClassVar[type[Observation]] = Desk
    cap = 12

    def __init__(self) -> None:
        super().__init__()
        self.store: dict[str, str] = {}
        self.goal: dict[str, str] = {}
        self.request = ""
        self.result: str | None = None

    def begin(self, **options: Any) -> None:
        """Fill the store and word the request."""
        task = options.get("task")
        number = self.draw.randrange(TASKS) if task is None else int(task)
        if number not in range(TASKS):
            raise ValueError(f"there is no task {number}")
        self.fill(number, random.Random(f"desk {number}"))
        self.result = None

    def fill(self, number: int, draw: random.Random) -> None:
        """Draw the store of a task and the two changes that are asked for."""
        held = draw.sample(KEYS, 4)
        self.store = {key: draw.choice(VALUES) for key in held}
        gone, changed = draw.sample(held, 2)
        wish = draw.choice([value for value in VALUES if value != self.store[changed]])
        self.goal = {key: value for key, value in self.store.items() if key != gone}
        self.goal[changed] = wish
        self.request = f"Please: set {changed} to {wish}, delete {gone}, and say when it is done."

    def check(self, action: Any) -> None:
        """Every tool but `say` needs a key, and `set` a value."""
        if action.tool != "say" and action.key is None:
            raise ValueError(f"{action.tool} needs a key")
        if action.tool == "set" and action.value is None:
            raise ValueError("set needs a value")

    def play(self, action: Any) -> float | None:
        """Call a tool."""
        if action.tool == "say":
            self.over = True
            self.result = "good-bye"
            return self.grade()
        if action.tool == "set":
            self.store[action.key] = action.value
        elif action.tool == "delete":
            self.store.pop(action.key, None)
        self.result = self.store.get(action.key, "nothing there")
        return 0.0

    def grade(self) -> float:
        """Return what the store is worth now."""
        return float(self.store == self.goal)

    def look(self) -> dict[str, Any]:
        """Return the request."""
        return {
            "request": self.request,
            "tools": ["get", "set", "delete", "say"],
            "result": self.result,
            "truncated": self.truncated,
        }
