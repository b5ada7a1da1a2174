"""PPO of Stable-Baselines3, over hashed features, with its environments at the end of a wire.

Needs `stable-baselines3` and torch, see `ppo.in`.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvStepReturn

from benchmarks.learning.evaluation import HELD_OUT
from benchmarks.learning.features import read_observation
from benchmarks.learning.offers import Offer
from benchmarks.learning.wire import Json, Sessions

Floats = NDArray[np.float32]
FEATURES = 512
"""Places that features of an observation are hashed to."""
WORLDS = 8
"""Sessions that learn side by side."""
TOLD: dict[str, Any] = {
    "n_steps": 64, "batch_size": 128, "n_epochs": 10, "learning_rate": 1e-3, "ent_coef": 0.01,
    "gamma": 0.99,
}  # fmt: skip
"""What differs from the defaults of Stable-Baselines3; the same for every environment."""


class PpoLearner:
    """Proximal policy optimisation (Schulman et al. 2017). Actions are those of the schema."""

    def __init__(self, offer: Offer, seed: int, sessions: Sessions) -> None:
        torch.set_num_threads(1)
        self._actions = offer.fixed
        world = _Worlds(sessions, self._actions, np.random.default_rng([seed, 9]))
        self._model = PPO("MlpPolicy", world, seed=seed, device="cpu", **TOLD)

    def act(self, observations: Sequence[Json]) -> list[Json]:
        """Draw an action for each observation."""
        found, _ = self._model.predict(_read_all(observations), deterministic=False)
        return [self._actions[int(number)] for number in found]

    def learn(self, steps: int) -> int:
        """Train for so many steps or a few more; return how many were taken."""
        before = self._model.num_timesteps
        self._model.learn(steps, reset_num_timesteps=before == 0)
        return self._model.num_timesteps - before


class _Worlds(VecEnv):
    """Sessions as the environments that Stable-Baselines3 steps together."""

    def __init__(self, sessions: Sessions, actions: list[Json], seeds: np.random.Generator) -> None:
        super().__init__(
            WORLDS,
            gymnasium.spaces.Box(-10.0, 10.0, (FEATURES,), np.float32),
            gymnasium.spaces.Discrete(len(actions)),
        )
        self._sessions, self._listed, self._draws = sessions, actions, seeds
        self._chosen: list[Json] = []

    def reset(self) -> Floats:
        return _read_all(self._begin(range(WORLDS)))

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._chosen = [self._listed[int(number)] for number in actions]

    def step_wait(self) -> VecEnvStepReturn:
        replies = self._sessions.step(range(WORLDS), self._chosen)
        read = _read_all([reply.observation for reply in replies])
        over = [index for index, reply in enumerate(replies) if reply.done]
        told: list[dict[str, Any]] = [{} for _ in replies]
        if over:
            begun = _read_all(self._begin(over))
            for index, first in zip(over, begun, strict=True):
                told[index] = {"terminal_observation": read[index].copy()}
                read[index] = first
        rewards = np.asarray([reply.reward for reply in replies], np.float32)
        return read, rewards, np.asarray([reply.done for reply in replies]), told

    def _begin(self, which: Sequence[int]) -> list[Json]:
        seeds = [int(seed) for seed in self._draws.integers(HELD_OUT, size=len(which))]
        return [reply.observation for reply in self._sessions.reset(which, seeds)]

    def close(self) -> None:
        pass

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * WORLDS

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [None] * WORLDS

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **more: Any) -> Any:
        raise NotImplementedError


def _read_all(observations: Sequence[Json]) -> Floats:
    read = np.zeros((len(observations), FEATURES), np.float32)
    for row, observation in zip(read, observations, strict=True):
        features = read_observation(observation)
        for place, weight in zip(features.rows, features.weights, strict=True):
            row[place % FEATURES] += weight
    return np.clip(read, -10.0, 10.0)
