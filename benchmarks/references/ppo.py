"""Reference learner: PPO of Stable-Baselines3, over hashed features of what is seen.

Stable-Baselines3 steps its environment, while here the episodes are played from outside: it
learns in a thread of its own, whose environment waits for what comes next.
"""

import threading
from queue import SimpleQueue
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from references.reference import Reference, Training
from stable_baselines3 import PPO

from probes.base import Json, Lane, Seen
from probes.campaign import Result, Terms
from probes.learner.features import read_state
from probes.search.cells import leaves_of

FEATURES = 256
"""Places that features of an observation are hashed to."""
MOST_ACTIONS = 300
TOLD = {
    "n_steps": 128, "batch_size": 64, "n_epochs": 10, "learning_rate": 1e-3, "ent_coef": 0.01,
    "gamma": 0.98,
}  # fmt: skip
"""What differs from the defaults of Stable-Baselines3; the same for every environment."""

Floats = NDArray[np.float32]


class _News(NamedTuple):
    features: Floats
    reward: float
    done: bool


class _World(gymnasium.Env[Floats, np.int64]):
    """An environment that is told what happens, and tells what is to be done."""

    def __init__(self, actions: int) -> None:
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (FEATURES,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(actions)
        self.told: SimpleQueue[_News] = SimpleQueue()
        self.wanted: SimpleQueue[int] = SimpleQueue()

    def reset(self, **_: Any) -> tuple[Floats, dict[str, Any]]:
        return self.told.get().features, {}

    def step(self, action: np.int64) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        self.wanted.put(int(action))
        news = self.told.get()
        return news.features, news.reward, news.done, False, {}


class Ppo(Reference):
    """Proximal policy optimisation (Schulman et al. 2017)."""

    name = "ppo"

    def campaign(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> "_Training":
        return _Training(lane, rng, terms)


class _Training(Training):
    def __init__(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> None:
        super().__init__(lane, rng, terms)
        torch.set_num_threads(1)
        self._world: _World | None = None
        self._model: PPO | None = None
        self._thread: threading.Thread | None = None
        self._learning = False
        self._features: Floats = np.zeros(FEATURES, np.float32)
        self._begun = False

    def begin(self, start: str, *, learning: bool) -> "_Training":
        self._learning = learning
        self._begun = False
        return self

    def act(self, seen: Seen) -> Json:
        """Return the action of that number among those known here, or a drawn one."""
        choices = self.choices(seen)
        marks = choices.all()
        rows = read_state(leaves_of(seen.observation)).rows
        self._features = np.zeros(FEATURES, np.float32)
        self._features[rows % FEATURES] = 1.0
        number = self._choose(seen, len(marks))
        if number >= len(marks):
            number = int(self.rng.integers(len(marks)))
        return self.legal.note(choices.action(marks[number]))

    def ended(self, result: Result) -> None:
        if self._learning and self._begun:
            assert self._world is not None
            self._world.told.put(_News(self._features, result.reward or 0.0, True))
        self._begun = False

    def _choose(self, seen: Seen, known: int) -> int:
        if self._model is None:
            self._world = _World(min(MOST_ACTIONS, max(2, known)))
            seed = int(self.rng.integers(2**31))
            self._model = PPO("MlpPolicy", self._world, seed=seed, device="cpu", **TOLD)
        assert self._world is not None
        if not self._learning:
            found, _ = self._model.predict(self._features, deterministic=True)
            return int(found)
        if self._thread is None:
            self._thread = threading.Thread(target=self._model.learn, args=(10**9,), daemon=True)
            self._thread.start()
        self._world.told.put(_News(self._features, seen.reward or 0.0, False))
        self._begun = True
        return self._world.wanted.get()
