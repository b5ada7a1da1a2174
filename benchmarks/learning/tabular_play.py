"""What a client learns of a tabular environment in a fiftieth of the steps of a training run.

In process, without a server: the environments are the published MDPs rebuilt, and a statistic that
only resets and steps is the same on both sides of a wire.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from benchmarks.learning.tabular_worlds import TabularEnvironment
from metrics import Undefined, first_action_effect, live_group_share

STEPS = 9_800
"""Of the 490,000 that learners took: 2%."""
BLIND, LEARNED = 2_000, 1_400
"""Of these at random, and by the learner of values; the rest by the one that plans."""
DISCOUNT = 0.99
PIECE = 25
"""Steps that count as an episode where none ends."""
EXPLORING = 0.95
"""Discount while looking for what was not tried: near things first."""
REPLAN = 25
"""Steps between two plans of the learner that plans."""
ENOUGH = 3
"""Tries after which an action is no longer taken for the best there is, and the weight of the mean
reward in what an action is thought to pay."""
SWEEPS = 40
"""Of a plan, each begun where the last one ended."""

Log: TypeAlias = list[tuple[int, int, float, int, bool]]
"""State, action, reward, state after, and whether the episode ended, step by step."""
Choice: TypeAlias = Callable[[int], int]


def statistics(environment: TabularEnvironment, seed: int) -> dict[str, float]:
    """Return every statistic of one environment, from no more than `STEPS` steps of it."""
    rng = np.random.default_rng([seed, 1])
    chance = play(environment, seed, BLIND, lambda _: int(rng.integers(environment.actions)))
    learner = ValueLearner(environment.actions, rng)
    learned = play(environment, seed + 1, LEARNED, learner.choose, learner.note)
    planner = Planner(environment.actions)
    planned = play(environment, seed + 2, STEPS - BLIND - LEARNED, planner.choose, planner.note)
    last = planned[-len(planned) // 3 :]
    for step in (*chance, *learned):
        planner.note(step)
    found = _of_random_play(chance, environment.actions, rng)
    found |= _of_states(chance, "random") | _of_states([*chance, *planned, *learned], "any")
    best = planner.best_rate()
    mean = found["mean_reward"]
    found |= {
        "actions": float(environment.actions),
        "planned_gap": best - mean,
        "planned_best": best,
        "planner_gain": float(np.mean([step[2] for step in last])) - mean,
        "learner_gain": float(np.mean([step[2] for step in learned[-LEARNED // 3 :]])) - mean,
        "learner_slope": _slope(learned),
        "episode": _episode(chance),
    }
    span = max(best - mean, 1e-6)
    found["planner_progress"] = float(np.clip(found["planner_gain"] / span, -1, 1))
    found["learner_progress"] = float(np.clip(found["learner_gain"] / span, -1, 1))
    return found


def play(
    environment: TabularEnvironment,
    seed: int,
    steps: int,
    choose: Choice,
    note: Callable[[tuple[int, int, float, int, bool]], None] = lambda _: None,
) -> Log:
    """Return what happened in so many steps, an episode after the other."""
    log: Log = []
    episode, state = 0, environment.reset(1_000 * seed)
    while len(log) < steps:
        action = choose(state)
        after, reward, done = environment.step(action)
        log.append((state, action, reward, after, done))
        note(log[-1])
        state = after
        if done:
            episode += 1
            state = environment.reset(1_000 * seed + episode)
    return log


def _episodes(log: Log) -> list[Log]:
    """Return the log by episode; in pieces of equal length where no episode ends."""
    ends = [place + 1 for place, step in enumerate(log) if step[4]]
    if not ends:
        ends = list(range(PIECE, len(log) + 1, PIECE))
    return [log[begin:end] for begin, end in pairwise([0, *ends])]


def _episode(log: Log) -> float:
    return float(len(_episodes(log)[0])) if any(step[4] for step in log) else float(STEPS)


def _of_random_play(log: Log, actions: int, rng: np.random.Generator) -> dict[str, float]:
    rewards = np.array([step[2] for step in log])
    episodes = _episodes(log)
    returns = np.array([sum(step[2] for step in one) for one in episodes])
    starts = [one[0][0] for one in episodes]
    bit = rewards > rewards.mean()
    coarse = np.round(returns / max(float(np.ptp(returns)), 1e-12), 1)
    live = live_group_share(coarse, starts, group_size=8)
    effect = first_action_effect(
        returns, starts, [one[0][1] for one in episodes], rng=rng, resamples=99
    )
    return {
        "mean_reward": float(rewards.mean()),
        "reward_variance": float(returns.var()),
        "step_variance": float(rewards.var()),
        "learnability": float(bit.mean() * (1 - bit.mean())),
        "zero_variance_share": 1.0 if isinstance(live, Undefined) else 1 - live.estimate,
        "first_action_effect": 0.0 if isinstance(effect, Undefined) else effect.statistic,
        "action_effect": _explained(rewards, [(s[0], s[1]) for s in log]),
        "best_reward": float(np.quantile(rewards, 0.999)),
    }


def _explained(rewards: np.ndarray, cells: list[tuple[int, int]]) -> float:
    """Return the share of the rewards' variance that state and action explain, less chance."""
    _, codes = np.unique(np.array(cells), axis=0, return_inverse=True)
    codes = codes.ravel()
    sizes = np.bincount(codes)
    means = np.bincount(codes, rewards) / sizes
    within = float(np.sum((rewards - means[codes]) ** 2))
    total = float(np.sum((rewards - rewards.mean()) ** 2))
    free = rewards.size - sizes.size
    if total == 0 or free < 1:
        return 0.0
    return 1 - (within / free) / (total / (rewards.size - 1))


def _of_states(log: Log, who: str) -> dict[str, float]:
    """Return how many states were seen, and how many there may be (Chao 1984)."""
    counts = np.unique([step[0] for step in log], return_counts=True)[1]
    once, twice = int(np.sum(counts == 1)), int(np.sum(counts == 2))
    return {
        f"{who}_states": float(counts.size),
        f"{who}_states_estimated": counts.size + once * (once - 1) / (2 * (twice + 1)),
    }


def _slope(log: Log) -> float:
    """Return the rise of the reward over the log, in its own standard deviations."""
    rewards = np.array([step[2] for step in log])
    at = np.linspace(-1, 1, rewards.size)
    spread = float(rewards.std())
    return 0.0 if spread == 0 else float(np.mean(at * rewards)) / spread


class Planner:
    """Plays the best of what it has seen, and takes what it has not for the best there is."""

    def __init__(self, actions: int) -> None:
        self.actions = actions
        self._number: dict[int, int] = {}
        self._first = 0
        self._counts: dict[tuple[int, int], dict[int, int]] = {}
        self._paid: dict[tuple[int, int], list[float]] = {}
        self._values = np.zeros((0, actions))
        self._steps = 0

    def note(self, step: tuple[int, int, float, int, bool]) -> None:
        """Take one step in; what ends an episode leads to where one began."""
        state, action, reward, after, done = step
        if not self._number:
            self._first = state
        one, other = self._at(state), self._at(self._first if done else after)
        row = self._counts.setdefault((one, action), {})
        row[other] = row.get(other, 0) + 1
        paid = self._paid.setdefault((one, action), [0.0, 0])
        paid[0] += reward
        paid[1] += 1
        self._steps += 1

    def _at(self, state: int) -> int:
        return self._number.setdefault(state, len(self._number))

    def choose(self, state: int) -> int:
        """Return the action that is best by the last plan."""
        at = self._at(state)
        if self._steps % REPLAN == 0 or at >= len(self._values):
            if self._steps % REPLAN == 0:
                self._values = self._plan(hope=True)
            if at >= len(self._values):
                return self._steps % self.actions
        tried = [self._paid.get((at, action), (0, 0))[1] for action in range(self.actions)]
        if min(tried) < ENOUGH:
            return int(np.argmin(tried))
        return int(np.argmax(self._values[at]))

    def _plan(self, *, hope: bool) -> np.ndarray:
        """Return action values of the counted model; with `hope`, untried actions pay most."""
        n = len(self._number)
        if not self._steps:
            return np.zeros((0, self.actions))
        most = max((total / count for total, count in self._paid.values()), default=0.0)
        mean = sum(total for total, _ in self._paid.values()) / self._steps
        paid = np.full((n, self.actions), mean)
        untried = np.ones((n, self.actions), dtype=bool)
        places: list[int] = []
        afters: list[int] = []
        chances: list[float] = []
        for (state, action), row in self._counts.items():
            total = sum(row.values())
            places += [state * self.actions + action] * len(row)
            afters += row.keys()
            chances += [count / total for count in row.values()]
            sums = self._paid[state, action]
            paid[state, action] = (sums[0] + ENOUGH * mean) / (sums[1] + ENOUGH)
            untried[state, action] = sums[1] < (ENOUGH if hope else 1)
        value = np.zeros(n)
        if hope and len(self._values):
            value[: len(self._values)] = self._values.max(axis=1)
        discount, sweeps = (EXPLORING, SWEEPS) if hope else (DISCOUNT, 600)
        flat = csr_array(
            (np.array(chances), (np.array(places), np.array(afters))), shape=(n * self.actions, n)
        )
        found = np.zeros((n, self.actions))
        for _ in range(sweeps):
            ahead: np.ndarray = np.asarray(flat @ value)
            found = paid + discount * ahead.reshape(n, -1)
            found[untried] = most / (1 - discount) if hope else -1.0
            new = found.max(axis=1)
            if float(np.max(np.abs(new - value))) < 1e-3 * most:
                break
            value = new
        return found

    def best_rate(self) -> float:
        """Return the mean reward of the best policy by what was seen, from where one began."""
        values = self._plan(hope=False)
        mean = sum(total for total, _ in self._paid.values()) / self._steps
        n = len(values)
        choice = values.argmax(axis=1)
        at = np.zeros(n)
        at[0] = 1.0
        earned = 0.0
        rows = np.zeros((n, n))
        pays = np.zeros(n)
        for state in range(n):
            row = self._counts.get((state, int(choice[state])))
            if row is None:
                rows[state, state] = 1.0
                continue
            total = sum(row.values())
            for after, count in row.items():
                rows[state, after] = count / total
            sums = self._paid[state, int(choice[state])]
            pays[state] = (sums[0] + ENOUGH * mean) / (sums[1] + ENOUGH)
        burn, kept = 400, 400
        for step in range(burn + kept):
            if step >= burn:
                earned += float(at @ pays)
            at = at @ rows
        return earned / kept


class ValueLearner:
    """Q-learning, at random with a chance that falls to a twentieth."""

    def __init__(self, actions: int, rng: np.random.Generator) -> None:
        self._values: dict[int, np.ndarray] = {}
        self._tried: dict[tuple[int, int], int] = {}
        self._actions, self._rng, self._steps = actions, rng, 0

    def choose(self, state: int) -> int:
        """Return the best action known, or one at random."""
        self._steps += 1
        chance = max(0.05, 1 - 2 * self._steps / LEARNED)
        values = self._values.get(state)
        if values is None or self._rng.random() < chance:
            return int(self._rng.integers(self._actions))
        return int(values.argmax())

    def note(self, step: tuple[int, int, float, int, bool]) -> None:
        """Learn from one step."""
        state, action, reward, after, done = step
        here = self._values.setdefault(state, np.zeros(self._actions))
        ahead = self._values.get(after)
        tried = self._tried[state, action] = self._tried.get((state, action), 0) + 1
        rate = max(0.1, tried**-0.6)
        future = 0.0 if done or ahead is None else DISCOUNT * float(ahead.max())
        here[action] += rate * (reward + future - here[action])


def mean_of(found: list[dict[str, float]]) -> Mapping[str, float]:
    """Return the mean of each statistic over the instances of one MDP."""
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}
