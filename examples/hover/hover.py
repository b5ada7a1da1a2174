"""A continuous control task: hold a craft over a mark in a steady wind. Healthy.

State and thrust are vectors in the plane. Each of 20 steps pays up to 1/20, less with the distance
from the mark; beyond distance 1 it pays nothing.
"""

import math
import random
from typing import Annotated, Any
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

STEPS = 20
SECONDS = 0.25
WIND = 0.6

Component = Annotated[float, Field(ge=-1.0, le=1.0)]


class Thrust(Action):
    """Speed against the air for one step."""

    thrust: list[Component] = Field(
        min_length=2, max_length=2, description="East and north, metres per second"
    )


class Reading(Observation):
    """What the instruments say."""

    offset: list[float] = Field(description="East and north of the mark, metres")
    wind: list[float] = Field(description="East and north, metres per second, constant")
    steps_left: int


class Hover(Environment[Thrust, Reading, State]):
    """The seed of reset chooses the wind and where the craft begins."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._offset = self._wind = (0.0, 0.0)
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Reading:
        """Begin near the mark."""
        draw = random.Random(seed)
        self._offset = _polar(draw.uniform(0.3, 0.9), draw.uniform(0.0, math.tau))
        self._wind = _polar(draw.uniform(0.0, WIND), draw.uniform(0.0, math.tau))
        self._over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        return self._reading(reward=None)

    def step(self, action: Thrust, timeout_s: float | None = None, **_: Any) -> Reading:
        """Drift for a quarter of a second."""
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        east, north = (
            here + SECONDS * (push + drift)
            for here, push, drift in zip(self._offset, action.thrust, self._wind, strict=True)
        )
        self._offset = (east, north)
        self._state.step_count += 1
        self._over = self._state.step_count == STEPS
        return self._reading(reward=max(0.0, 1.0 - math.hypot(east, north)) / STEPS)

    @property
    def state(self) -> State:
        """What the operator sees."""
        return self._state

    def _reading(self, reward: float | None) -> Reading:
        return Reading(
            offset=list(self._offset),
            wind=list(self._wind),
            steps_left=STEPS - self._state.step_count,
            reward=reward,
            done=self._over,
        )


def _polar(length: float, angle: float) -> tuple[float, float]:
    return length * math.cos(angle), length * math.sin(angle)


app = create_app(Hover, Thrust, Reading, env_name="hover", max_concurrent_envs=32)
