"""A guessing game with a real defect: it takes a seed and ignores it.

The number comes from the process-wide generator, so reset with the same seed gives another game
each time, and the sessions of one server draw from one another's stream. A trainer that resets a
group of rollouts to "the same" task compares different tasks, and no episode can be replayed.

To mend it: draw from `random.Random(seed)`, made at reset and owned by the session.
"""

import random
from typing import Any, Literal
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

HIGHEST = 30
TRIES = 6


class Guess(Action):
    """One number."""

    number: int = Field(ge=1, le=HIGHEST, description="The number you take it to be")


class Hint(Observation):
    """What the last guess told."""

    hint: Literal["", "higher", "lower", "right"] = Field(
        description="Where the hidden number lies; empty before the first guess"
    )
    tries_left: int


class NumberHunt(Environment[Guess, Hint, State]):
    """Find a number within six tries: 1 for finding it, else 0."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._hidden = 0
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Hint:
        """Hide a number."""
        self._hidden = random.randint(1, HIGHEST)  # the defect: `seed` is never used
        self._over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        return Hint(hint="", tries_left=TRIES)

    def step(self, action: Guess, timeout_s: float | None = None, **_: Any) -> Hint:
        """Compare a guess with the hidden number."""
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        self._state.step_count += 1
        found = action.number == self._hidden
        self._over = found or self._state.step_count == TRIES
        return Hint(
            hint="right" if found else "higher" if action.number < self._hidden else "lower",
            tries_left=TRIES - self._state.step_count,
            reward=float(found),
            done=self._over,
        )

    @property
    def state(self) -> State:
        """What the operator sees; the number is not in it."""
        return self._state


app = create_app(NumberHunt, Guess, Hint, env_name="number_hunt", max_concurrent_envs=32)
