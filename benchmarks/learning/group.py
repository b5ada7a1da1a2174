"""The group-relative learner: several rollouts of one task, each judged against the others.

The policy is small and begins knowing nothing. What is seen becomes a hidden layer, what can be
done a vector each; their products are the logits:

    logit(a | s) = e(a) · relu(W s + b) + w · x(a)

with s and x(a) hashed features (`features.py`) and e(a) the sum of rows of a table. The update is
GRPO's (Shao et al. 2024) with PPO's clipping: a rollout's advantage is its return less the group's
mean, over the group's standard deviation; a group whose returns are equal teaches nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.learning.evaluation import HELD_OUT
from benchmarks.learning.features import ROWS, read_action, read_observation
from benchmarks.learning.offers import Offer
from benchmarks.learning.wire import Json, Sessions

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

HIDDEN = 32
GROUP = 8
TASKS = 8
"""Tasks, and so groups, between two updates."""
EPOCHS = 4
RATE = 4e-3
CLIP = 0.2
ENTROPY = 2e-2


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One choice: what was seen, what could be done, what was done."""

    rows: list[int]
    weights: list[float]
    actions: list[tuple[int, ...]]
    """Features of each action."""
    chosen: int
    log_chance: float


class GroupLearner:
    """A policy and its training, in `GROUP` times `TASKS` sessions.

    `seed` decides all that is random, but for what the server draws.
    """

    def __init__(self, offer: Offer, seed: int, sessions: Sessions) -> None:
        self._offer = offer
        self._sessions = sessions
        self._rng = np.random.default_rng([seed, 9])
        init = np.random.default_rng([seed, 7])
        self._weights = {
            "state": init.normal(0, 0.1, (ROWS + 1, HIDDEN)).astype(np.float32),
            "bias": np.full(HIDDEN, 0.1, np.float32),
            "action": init.normal(0, 0.05, (ROWS + 1, HIDDEN)).astype(np.float32),
            "linear": np.zeros(ROWS + 1, np.float32),
        }
        self._adam = Adam(self._weights)

    def act(self, observations: Sequence[Json]) -> list[Json]:
        """Draw an action for each observation."""
        moments, actions = self._choose(observations)
        return [options[moment.chosen] for moment, options in zip(moments, actions, strict=True)]

    def learn(self, steps: int) -> int:
        """Train for so many steps or a few more; return how many were taken."""
        taken = 0
        while taken < steps:
            moments, returns = self._rollouts()
            taken += sum(len(one) for one in moments)
            advantages = relative(np.asarray(returns).reshape(TASKS, GROUP)).ravel()
            told = [
                (moment, advantage)
                for episode, advantage in zip(moments, advantages, strict=True)
                for moment in episode
                if advantage != 0.0
            ]
            if told:
                batch = Batch.of([moment for moment, _ in told])
                worth = np.asarray([advantage for _, advantage in told], np.float32)
                for _ in range(EPOCHS):
                    self._adam.step(batch.gradient(self._weights, worth))
        return taken

    def _rollouts(self) -> tuple[list[list[Moment]], list[float]]:
        count = GROUP * TASKS
        tasks = self._rng.integers(HELD_OUT, size=TASKS)
        seeds = [int(seed) for seed in np.repeat(tasks, GROUP)]
        seen = [reply.observation for reply in self._sessions.reset(range(count), seeds)]
        moments: list[list[Moment]] = [[] for _ in range(count)]
        returns = [0.0] * count
        playing = list(range(count))
        while playing:
            chosen, actions = self._choose([seen[index] for index in playing])
            done = [options[moment.chosen] for moment, options in zip(chosen, actions, strict=True)]
            replies = self._sessions.step(playing, done)
            for index, moment, reply in zip(playing, chosen, replies, strict=True):
                moments[index].append(moment)
                returns[index] += reply.reward
                seen[index] = reply.observation
            playing = [
                index for index, reply in zip(playing, replies, strict=True) if not reply.done
            ]
        return moments, returns

    def _choose(self, observations: Sequence[Json]) -> tuple[list[Moment], list[list[Json]]]:
        offered = [self._offer.actions(observation) for observation in observations]
        moments = []
        for observation, options in zip(observations, offered, strict=True):
            read = read_observation(observation)
            moments.append(
                Moment(
                    rows=read.rows,
                    weights=read.weights,
                    actions=[
                        tuple(read_action(action, observation, self._offer.free))
                        for action in options
                    ],
                    chosen=0,
                    log_chance=0.0,
                )
            )
        log_chances = Batch.of(moments).forward(self._weights)[0]
        noise = self._rng.gumbel(size=log_chances.shape)
        chosen = np.argmax(log_chances + noise, axis=1)
        drawn = [
            Moment(
                rows=moment.rows,
                weights=moment.weights,
                actions=moment.actions,
                chosen=int(choice),
                log_chance=float(log_chances[place, choice]),
            )
            for place, (moment, choice) in enumerate(zip(moments, chosen, strict=True))
        ]
        return drawn, offered


def relative(returns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the advantages of rollouts within their groups, shape `(tasks, group)`."""
    spread = returns.std(axis=1, keepdims=True)
    centred = returns - returns.mean(axis=1, keepdims=True)
    alive = spread > 1e-8
    return np.where(alive, centred / np.where(alive, spread, 1.0), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Choices as padded arrays; row `ROWS` of a table is where padding points to, with weight 0."""

    rows: Ints
    weights: Floats
    unique: Ints
    """Features of each different action, shape `(actions, features)`."""
    unique_weights: Floats
    actions: Ints
    """Which of the unique ones each action is, shape `(choices, actions)`, -1 where none is."""
    chosen: Ints
    log_chances: Floats

    @classmethod
    def of(cls, moments: Sequence[Moment]) -> "Batch":
        """Lay choices out as arrays."""
        rows, weights = _padded([moment.rows for moment in moments])
        for place, moment in enumerate(moments):
            weights[place, : len(moment.weights)] = moment.weights
        known: dict[tuple[int, ...], int] = {}
        widest = max(len(moment.actions) for moment in moments)
        actions = np.full((len(moments), widest), -1)
        for place, moment in enumerate(moments):
            numbers = [known.setdefault(action, len(known)) for action in moment.actions]
            actions[place, : len(numbers)] = numbers
        unique, unique_weights = _padded(list(known))
        return cls(
            rows=rows,
            weights=weights,
            unique=unique,
            unique_weights=unique_weights,
            actions=actions,
            chosen=np.asarray([moment.chosen for moment in moments]),
            log_chances=np.asarray([moment.log_chance for moment in moments], np.float32),
        )

    def forward(self, tables: dict[str, Floats]) -> tuple[Floats, Floats, Floats]:
        """Return log-chances of the actions, the hidden layer and the unique actions' vectors."""
        drive = np.einsum("tk,tkh->th", self.weights, tables["state"][self.rows]) + tables["bias"]
        hidden = np.maximum(drive, 0.0)
        vectors = np.einsum("uk,ukh->uh", self.unique_weights, tables["action"][self.unique])
        linear = (self.unique_weights * tables["linear"][self.unique]).sum(axis=1)
        every = hidden @ vectors.T + linear
        logits = np.take_along_axis(every, np.maximum(self.actions, 0), axis=1)
        logits = np.where(self.actions >= 0, logits, -1e9)
        top = logits.max(axis=1, keepdims=True)
        log_chances = logits - top - np.log(np.exp(logits - top).sum(axis=1, keepdims=True))
        return log_chances.astype(np.float32), hidden.astype(np.float32), vectors

    def gradient(self, tables: dict[str, Floats], advantages: Floats) -> dict[str, Floats]:
        """Return the gradient of the clipped objective with a little entropy, to be ascended."""
        log_chances, hidden, vectors = self.forward(tables)
        count = len(self.chosen)
        chances = np.exp(log_chances)
        place = np.arange(count)
        ratio = np.exp(log_chances[place, self.chosen] - self.log_chances)
        clipped = np.where(advantages > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        pull = np.where(clipped, 0.0, ratio * advantages)
        onto = -chances * pull[:, None]
        onto[place, self.chosen] += pull
        entropy = -(chances * np.where(chances > 0, log_chances, 0.0)).sum(axis=1, keepdims=True)
        onto -= ENTROPY * chances * (np.where(chances > 0, log_chances, 0.0) + entropy)
        onto = np.where(self.actions >= 0, onto, 0.0) / count

        spread = np.zeros((count, len(vectors)), np.float32)
        np.add.at(spread, (place[:, None], np.maximum(self.actions, 0)), onto)
        on_vectors = spread.T @ hidden
        on_hidden = (spread @ vectors) * (hidden > 0)
        found = {name: np.zeros_like(table) for name, table in tables.items()}
        found["bias"] = on_hidden.sum(axis=0)
        np.add.at(found["state"], self.rows, self.weights[:, :, None] * on_hidden[:, None, :])
        np.add.at(
            found["action"], self.unique, self.unique_weights[:, :, None] * on_vectors[:, None, :]
        )
        on_linear = spread.sum(axis=0)
        np.add.at(found["linear"], self.unique, self.unique_weights * on_linear[:, None])
        return found


def _padded(rows: Sequence[Sequence[int]]) -> tuple[Ints, Floats]:
    widest = max(1, max(len(row) for row in rows))
    padded = np.full((len(rows), widest), ROWS)
    weights = np.zeros((len(rows), widest), np.float32)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
        weights[place, : len(row)] = 1.0
    return padded, weights


class Adam:
    """Adam (Kingma and Ba 2015), ascending, on tables that it changes in place."""

    def __init__(self, tables: dict[str, Floats]) -> None:
        self._tables = tables
        self._mean = {name: np.zeros_like(table) for name, table in tables.items()}
        self._square = {name: np.zeros_like(table) for name, table in tables.items()}
        self._steps = 0

    def step(self, gradient: dict[str, Floats]) -> None:
        """Go one step along a gradient."""
        self._steps += 1
        size = RATE * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for name, table in self._tables.items():
            mean, square = self._mean[name], self._square[name]
            mean += 0.1 * (gradient[name] - mean)
            square += 0.001 * (gradient[name] ** 2 - square)
            table += size * mean / (np.sqrt(square) + 1e-8)
