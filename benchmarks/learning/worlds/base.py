"""What every world of this benchmark shares: the course of an episode, what is paid, and the truth.

A world says how an episode begins, what an action does, what is seen and how far the task was
solved. How that is paid is chosen apart, so that one world can be served healthy and broken.
Runs in an interpreter that has openenv; nothing of `envassay` is imported.
"""

import random
from collections.abc import Callable
from typing import Any, ClassVar, Literal

from openenv.core.env_server import Action, Environment, Observation, State
from pydantic import create_model

LUCK = random.SystemRandom()
"""For what is paid by chance: repeats differ even under one seed."""


class Audited(State):
    """State of a session on a server that was started for training."""

    success: float = 0.0
    """How far the task of this episode was solved, in [0, 1]."""


def action_of(**fields: tuple[str, ...]) -> type[Action]:
    """Return an action whose fields each take one of some words."""
    annotated: Any = {name: (Literal[words], ...) for name, words in fields.items()}
    made: type[Action] = create_model("Chosen", __base__=Action, **annotated)
    return made


class World(Environment[Any, Any, Any]):
    """An environment of this benchmark."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    Seen: ClassVar[type[Observation]]
    """What is seen, as a model; `seen` gives its fields."""

    def __init__(self, *, horizon: int, pays: str = "own", audited: bool = False) -> None:
        super().__init__()
        self.horizon = horizon
        self.draw = random.Random(0)
        """Of this episode, by its seed."""
        self._pay = pay_of(pays)
        self._audited = audited
        self._state = State()
        self._over = True

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        """Return the action of this world as a model."""
        raise NotImplementedError

    def begin(self) -> None:
        """Set up a task, drawn with `self.draw`."""
        raise NotImplementedError

    def act(self, action: Any) -> tuple[float, bool]:
        """Do one action; return what the healthy world pays for it, and whether it ends."""
        raise NotImplementedError

    def seen(self) -> dict[str, Any]:
        """Return what is seen now, by field of `Seen`."""
        raise NotImplementedError

    def success(self) -> float:
        """Return how far the task is solved so far, in [0, 1]."""
        raise NotImplementedError

    def solution(self) -> dict[str, Any]:
        """Return the next action of whoever knows the task: what its author holds to be right.

        Of the task as it claims to be, whatever is paid for and whether or not it can be done.
        """
        raise NotImplementedError

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Any:
        self.draw = random.Random(seed)
        self._state = State(episode_id=episode_id, step_count=0)
        self._over = False
        self.begin()
        return self.Seen(**self.seen())

    def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        self._state.step_count += 1
        earned, ended = self.act(action)
        self._over = ended or self._state.step_count >= self.horizon
        reward = self._pay(self, earned, self._over)
        return self.Seen(**self.seen(), reward=reward, done=self._over)

    async def reset_async(
        self, seed: int | None = None, episode_id: str | None = None, **_: Any
    ) -> Any:
        return self.reset(seed, episode_id)

    async def step_async(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
        return self.step(action, timeout_s)

    @property
    def state(self) -> State:
        """Return the session's state; with the truth only where the server was told to tell it."""
        if not self._audited:
            return self._state
        count = self._state.step_count
        return Audited(
            episode_id=self._state.episode_id,
            step_count=count,
            success=self.success() if count else 0.0,
        )


Pay = Callable[[World, float, bool], float]
"""World, what it would pay, whether the episode is over: what is paid."""


def pay_of(name: str) -> Pay:
    """Return a way to pay.

    own: as the world pays. coin: a fair coin as the episode ends. weather: at the end, an amount
    that the seed decides. nothing: never anything. gauss: normal noise of deviation one half upon
    each step's pay. flipped:q: at the end, whether the task was solved, wrong with chance q.
    """
    if name.startswith("flipped:"):
        wrong = float(name.partition(":")[2])
        return lambda world, _, over: float(
            over and (world.success() >= 0.5) != (LUCK.random() < wrong)
        )
    return _PAYS[name]


_PAYS: dict[str, Pay] = {
    "own": lambda _world, earned, _over: earned,
    "coin": lambda _world, _earned, over: float(over and LUCK.random() < 0.5),
    "weather": lambda world, _earned, over: world.draw.random() if over else 0.0,
    "nothing": lambda _world, _earned, _over: 0.0,
    "gauss": lambda _world, earned, _over: earned + LUCK.gauss(0.0, 0.5),
}
