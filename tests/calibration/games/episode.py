"""What all calibration games share: a session that begins, is played, and ends.

A faulty environment is a game with one method overridden. The methods are small for that:
`generator`, `begin`, `check`, `play`, `look`, `observe`, `after_end`.
"""

import random
from typing import Any, ClassVar
from uuid import uuid4

from fastapi import FastAPI
from fastmcp import FastMCP
from openenv.core.env_server import (
    Action,
    CallToolAction,
    CallToolObservation,
    Environment,
    MCPEnvironment,
    Observation,
    State,
    create_app,
)

CLOSED = "the episode is over, or has not begun: reset first"


class Game(Environment[Action, Observation, State]):
    """One session. All chance comes from `draw`, made anew from the seed of each reset."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    capacity: ClassVar[int] = 32
    """Sessions served at once."""
    cap: ClassVar[int | None] = None
    """Steps after which an episode is cut short; None where the rules end it."""
    takes: ClassVar[type[Action]]
    shows: ClassVar[type[Observation]]

    def __init__(self) -> None:
        super().__init__()
        self.draw = random.Random(0)
        self.over = True
        self.truncated = False
        self._state = State()

    # The parts that a game fills in.

    def begin(self, **options: Any) -> None:
        """Set an episode up from `draw` and the options of reset."""
        raise NotImplementedError

    def check(self, action: Any) -> None:
        """Refuse what the rules do not allow, before it counts as a step.

        Raises:
            ValueError: the text goes to the agent.
        """

    def play(self, action: Any) -> float | None:
        """Do one legal action, set `over` where it ends the episode, and return its reward."""
        raise NotImplementedError

    def look(self) -> dict[str, Any]:
        """Return what the agent sees, without reward and end."""
        raise NotImplementedError

    # The parts that are the same for all.

    def generator(self, seed: int | None) -> random.Random:
        """Return the source of all chance of one episode."""
        return random.Random(seed)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Any:
        """Begin an episode."""
        self.draw = self.generator(seed)
        self.over = self.truncated = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        self.begin(**options)
        return self.observe(None)

    def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
        """Do one action."""
        if self.over:
            return self.after_end(action)
        self.check(action)
        self._state.step_count += 1
        reward = self.play(action)
        self.cut_short()
        return self.observe(reward)

    def cut_short(self) -> None:
        """End the episode where its steps are used up."""
        if not self.over and self._state.step_count == self.cap:
            self.over = self.truncated = True

    def observe(self, reward: float | None) -> Any:
        """Return the observation that goes over the wire."""
        return self.shows(**self.look(), reward=reward, done=self.over)

    def after_end(self, action: Any) -> Any:
        """Answer a step that comes after the end."""
        raise ValueError(CLOSED)

    @property
    def steps(self) -> int:
        """Steps of this episode so far."""
        return int(self._state.step_count)

    @property
    def state(self) -> State:
        """What the operator sees."""
        return self._state


class ToolGame(MCPEnvironment):
    """A game that is played by calling tools. Ends and rewards are those of the steps."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    capacity: ClassVar[int] = 32
    cap: ClassVar[int] = 15
    offers: ClassVar[tuple[str, ...]]
    """Names of the methods that are tools, in the order of their listing."""
    shows: ClassVar[type[Observation]]
    """What reset returns."""

    def __init__(self) -> None:
        desk = FastMCP(type(self).__name__)
        for name in self.offers:
            desk.tool(getattr(self, name))
        super().__init__(desk)
        self.draw = random.Random(0)
        self.over = True
        self._state = State()

    def begin(self, **options: Any) -> None:
        """Set an episode up from `draw` and the options of reset."""
        raise NotImplementedError

    def look(self) -> dict[str, Any]:
        """Return what the agent sees first."""
        raise NotImplementedError

    def score(self) -> float:
        """Return what the work is worth when the agent says that it is done."""
        raise NotImplementedError

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Any:
        """Begin an episode."""
        self.draw = random.Random(seed)
        self.over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        self.begin(**options)
        return self.shows(**self.look())

    async def step_async(self, action: Any, timeout_s: float | None = None, **kwargs: Any) -> Any:
        """Call a tool; listing the tools is free."""
        if not isinstance(action, CallToolAction):
            return await super().step_async(action, timeout_s=timeout_s, **kwargs)
        if self.over:
            raise ValueError(CLOSED)
        observation = await super().step_async(action, timeout_s=timeout_s, **kwargs)
        self._state.step_count += 1
        cut = not self.over and self._state.step_count == self.cap
        observation.reward = self.score() if self.over else 0.0
        observation.done = self.over = self.over or cut
        observation.metadata = {"truncated": cut}
        return observation

    def _step_impl(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
        raise ValueError("the only actions are list_tools and call_tool")

    @property
    def state(self) -> State:
        """What the operator sees."""
        return self._state


def app_of(environment: type[Game] | type[ToolGame]) -> FastAPI:
    """Return the server application of an environment."""
    name = environment.__name__.lower()
    app: FastAPI
    if issubclass(environment, ToolGame):
        app = create_app(
            environment,
            CallToolAction,
            CallToolObservation,
            env_name=name,
            max_concurrent_envs=environment.capacity,
            reset_observation_cls=environment.shows,
        )
        return app
    app = create_app(
        environment,
        environment.takes,
        environment.shows,
        env_name=name,
        max_concurrent_envs=environment.capacity,
    )
    return app
