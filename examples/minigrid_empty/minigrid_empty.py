"""MiniGrid's `Empty-Random-5x5`, wrapped: world and reward are that package's own.

The agent sees the 7 by 7 cells before it, as words, and walks to the goal. Reaching it pays 1 less
0.9 times the share of the steps that were used, which are 40 at most.
"""

from typing import Any, Literal
from uuid import uuid4

import gymnasium
import minigrid  # noqa: F401  (its import registers the worlds)
from minigrid.core.constants import IDX_TO_OBJECT
from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

STEPS = 40
ACTIONS = ("left", "right", "forward", "pickup", "drop", "toggle", "done")
HEADINGS = ("east", "south", "west", "north")


class Move(Action):
    """One of MiniGrid's actions."""

    move: Literal["left", "right", "forward", "pickup", "drop", "toggle", "done"] = Field(
        description="left and right turn; pickup, drop, toggle and done do nothing in this world"
    )


class View(Observation):
    """What lies before the agent."""

    mission: str
    heading: Literal["east", "south", "west", "north"]
    cells: list[list[str]] = Field(
        description="Rows from far to near; you stand in the middle of the last one"
    )
    truncated: bool = Field(default=False, description="The steps ran out before the goal")


class EmptyRoom(Environment[Move, View, State]):
    """The seed of reset chooses where the agent begins and where it looks."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._world = gymnasium.make("MiniGrid-Empty-Random-5x5-v0", max_steps=STEPS)
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> View:
        """Put the agent into the room."""
        seen, _info = self._world.reset(seed=seed)
        self._over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        return _view(seen)

    def step(self, action: Move, timeout_s: float | None = None, **_: Any) -> View:
        """Act in the room."""
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        seen, reward, ended, cut, _info = self._world.step(ACTIONS.index(action.move))
        self._over = ended or cut
        self._state.step_count += 1
        view = _view(seen)
        view.reward, view.done, view.truncated = float(reward), self._over, cut and not ended
        return view

    @property
    def state(self) -> State:
        """What the operator sees."""
        return self._state

    def close(self) -> None:
        """Let the world go."""
        self._world.close()


def _view(seen: dict[str, Any]) -> View:
    columns = seen["image"][:, :, 0].tolist()
    return View(
        mission=seen["mission"],
        heading=HEADINGS[int(seen["direction"])],
        cells=[[IDX_TO_OBJECT[cell] for cell in row] for row in zip(*columns, strict=True)],
    )


app = create_app(EmptyRoom, Move, View, env_name="minigrid_empty", max_concurrent_envs=32)
