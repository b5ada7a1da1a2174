"""A grid world: fetch the parcel, bring it to the door. Healthy.

Taking the parcel pays a half and bringing it to the door the other half. The episode ends at the
door, or after 40 moves, and then says that it was cut short.
"""

import random
from typing import Any, Literal
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

Cell = tuple[int, int]

FLOOR = (
    ".....",
    ".#.#.",
    ".....",
    ".#.#.",
    ".....",
)
FREE = [
    (row, column) for row, line in enumerate(FLOOR) for column, mark in enumerate(line)
    if mark == "."
]  # fmt: skip
MOVES: dict[str, Cell] = {
    "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1), "wait": (0, 0),
}  # fmt: skip
HORIZON = 40


class Move(Action):
    """One step on the grid."""

    move: Literal["up", "down", "left", "right", "wait"] = Field(
        description="Where to go; a wall or the edge leaves you where you are"
    )


class View(Observation):
    """The whole grid."""

    grid: list[str] = Field(description="Rows: @ you, P parcel, D door, # wall, . free")
    carrying: bool = Field(description="Whether you have the parcel")
    moves_left: int
    truncated: bool = Field(default=False, description="The moves ran out before the door")


class Courier(Environment[Move, View, State]):
    """The seed of reset chooses where you, the parcel and the door are."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._you = self._parcel = self._door = FREE[0]
        self._carrying = False
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> View:
        """Lay out a new errand."""
        self._you, self._parcel, self._door = random.Random(seed).sample(FREE, 3)
        self._carrying = False
        self._over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        return self._view(reward=None)

    def step(self, action: Move, timeout_s: float | None = None, **_: Any) -> View:
        """Move, take the parcel on its cell, hand it over at the door."""
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        self._state.step_count += 1
        down, right = MOVES[action.move]
        target = (self._you[0] + down, self._you[1] + right)
        if target in FREE:
            self._you = target
        reward = 0.0
        if not self._carrying and self._you == self._parcel:
            self._carrying = True
            reward = 0.5
        elif self._carrying and self._you == self._door:
            self._over = True
            reward = 0.5
        truncated = not self._over and self._state.step_count == HORIZON
        self._over = self._over or truncated
        return self._view(reward=reward, truncated=truncated)

    @property
    def state(self) -> State:
        """What the operator sees."""
        return self._state

    def _view(self, reward: float | None, truncated: bool = False) -> View:
        rows = [list(line) for line in FLOOR]
        rows[self._door[0]][self._door[1]] = "D"
        if not self._carrying:
            rows[self._parcel[0]][self._parcel[1]] = "P"
        rows[self._you[0]][self._you[1]] = "@"
        return View(
            grid=["".join(row) for row in rows],
            carrying=self._carrying,
            moves_left=HORIZON - self._state.step_count,
            truncated=truncated,
            reward=reward,
            done=self._over,
        )


app = create_app(Courier, Move, View, env_name="courier", max_concurrent_envs=32)
