"""A sorting puzzle with a real defect: its verifier pays everyone the same.

The reward looks at the flag that says the episode is over, not at the numbers. Whoever submits at
once, and whoever runs out of moves, is paid like one who sorted them: floor and ceiling are both 1,
so there is nothing to learn.

To mend it: pay for `self._numbers == sorted(self._numbers)`.
"""

import random
from typing import Any, Literal
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

HORIZON = 10


class Move(Action):
    """Swap two neighbours, or submit."""

    move: Literal["swap_0", "swap_1", "swap_2", "swap_3", "submit"] = Field(
        description="swap_N exchanges positions N and N+1; submit ends the episode"
    )


class Row(Observation):
    """The numbers as they stand."""

    numbers: list[int] = Field(description="To be put in rising order")
    moves_left: int


class Sorter(Environment[Move, Row, State]):
    """The seed of reset chooses the numbers and their order."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._numbers: list[int] = []
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Row:
        """Lay out five numbers."""
        self._numbers = random.Random(seed).sample(range(10, 100), 5)
        self._over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        return self._row(reward=None)

    def step(self, action: Move, timeout_s: float | None = None, **_: Any) -> Row:
        """Swap or submit."""
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        self._state.step_count += 1
        if action.move != "submit":
            at = int(action.move.removeprefix("swap_"))
            self._numbers[at : at + 2] = reversed(self._numbers[at : at + 2])
        self._over = action.move == "submit" or self._state.step_count == HORIZON
        return self._row(reward=1.0 if self._over else 0.0)  # the defect: not "are they sorted"

    @property
    def state(self) -> State:
        """What the operator sees."""
        return self._state

    def _row(self, reward: float | None) -> Row:
        return Row(
            numbers=list(self._numbers),
            moves_left=HORIZON - self._state.step_count,
            reward=reward,
            done=self._over,
        )


app = create_app(Sorter, Move, Row, env_name="sorter", max_concurrent_envs=32)
