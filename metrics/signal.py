"""What a group-relative learner would get from groups of rollouts."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from metrics.bounded import chernoff_interval, gaffke_interval
from metrics.errors import ParameterError
from metrics.inputs import (
    Codes,
    Floats,
    finite_numbers,
    fraction,
    group_codes,
    number,
    range_remark,
    score_bounds,
    whole,
    within_bounds,
)
from metrics.results import Estimate, Interval, Scaled, Undefined, known
from metrics.solvability import chance_of_all


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAverage:
    """Mean over tasks of a quantity estimated in each without bias."""

    per_task: Floats
    """Shape `(tasks,)`."""
    left_out: int
    """Tasks with too few episodes to estimate it."""
    most: float
    """Largest value of a task's estimate; the least is zero."""
    most_of_group: float
    """Largest value of one group: the estimate is the mean over all groups of a task."""
    groups: int
    """Disjoint groups of episodes that the first task holds."""
    remark: str = ""
    """What else the interval rests on."""

    @property
    def estimate(self) -> float:
        return float(self.per_task.mean())

    @property
    def n(self) -> int:
        return self.per_task.size

    @property
    def method(self) -> str:
        if self.n == 1:
            return f"Chernoff, over disjoint groups of the one task{self.remark}"
        return f"Gaffke, over tasks{self.remark}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval over tasks; of the task itself where there is one."""
        level = fraction(level)
        if self.n > 1:
            return gaffke_interval(self.per_task, (0.0, self.most), level)
        width = self.most_of_group
        low, high = chernoff_interval(min(1.0, self.estimate / width), self.groups, level)
        return Interval(
            min(low * width, self.estimate), max(min(high * width, self.most), self.estimate)
        )


def live_group_share(
    scores: ArrayLike, tasks: Sequence[Hashable] | ArrayLike, *, group_size: int
) -> TaskAverage | Undefined:
    """Return the share of groups of G episodes of one task whose scores are not all equal.

    The others give a group-relative update of zero. Per task, over all groups that could be
    drawn from its n episodes without replacement: 1 − Σ_v C(n_v, G) / C(n, G), where n_v
    episodes scored v; unbiased for every G up to n. Then the mean over tasks.

    Args:
        scores: One a scored episode, shape `(n,)`; equal means equal to the last digit.
        tasks: Label of each episode's task, shape `(n,)`.
        group_size: G, at least 2.

    Returns:
        The share, unitless, in [0, 1]; tasks with fewer than G episodes are left out and
        counted. Undefined where none is left.

    Raises:
        MalformedInput: a score is no finite number, or labels of another length.
        ParameterError: G below 2.

    Assumptions:
        Episodes of a task are exchangeable, of one policy; tasks are independent draws of
        one population. The share belongs to environment, policy and G together.

    Source:
        The counting argument of Chen et al. 2021 (arXiv 2107.03374, section 2.1), applied to
        groups of equal scores (Yu et al. 2025, arXiv 2503.14476, section 3.2).

    Example:
        >>> found = live_group_share([1, 1] + [0] * 6 + [0] * 8, [0] * 8 + [1] * 8, group_size=4)
        >>> round(found.estimate, 3), found.n
        (0.393, 2)
    """
    runs = _runs_in_groups(scores, tasks, group_size)
    if isinstance(runs, Undefined):
        return runs
    size, episodes, enough, task_of, equal = runs
    silent = np.bincount(
        task_of,
        weights=chance_of_all(equal, episodes[task_of], size),
        minlength=episodes.size,
    )[enough]
    return TaskAverage(
        per_task=np.clip(1.0 - silent, 0.0, 1.0),
        left_out=int(np.count_nonzero(~enough)),
        most=1.0,
        most_of_group=1.0,
        groups=int(episodes[enough][0]) // size,
    )


class _Runs(NamedTuple):
    """Episodes of equal score, in tasks that have enough for a group."""

    size: int
    episodes: NDArray[np.intp]
    """Of each task, shape `(tasks,)`."""
    enough: NDArray[np.bool_]
    """Whether a task has a group's worth, shape `(tasks,)`."""
    task_of: Codes
    """Task of each run, shape `(runs,)`."""
    equal: Codes
    """Episodes in each run, shape `(runs,)`."""


def _runs_in_groups(
    scores: ArrayLike, tasks: Sequence[Hashable] | ArrayLike, group_size: int
) -> _Runs | Undefined:
    found = finite_numbers(scores)
    codes = group_codes(tasks, found.size)
    size = whole(group_size, "group_size", least=2)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    episodes = np.bincount(codes)
    enough = episodes >= size
    if not enough.any():
        return Undefined(
            reason=f"no task has {size} scored episodes, which a group takes", n=episodes.size
        )
    task_of, equal = runs_of_equal(found, codes)
    kept = enough[task_of]
    return _Runs(size, episodes, enough, task_of[kept], equal[kept])


def learnability(
    scores: ArrayLike,
    tasks: Sequence[Hashable] | ArrayLike,
    *,
    threshold: float | None = None,
    score_range: tuple[float, float] | None = None,
) -> TaskAverage | Undefined:
    """Return how far two episodes of one task differ, averaged over tasks.

    With a `threshold`: c(n−c) / (n(n−1)) per task, the unbiased estimate of p(1−p). With a
    `score_range`: the unbiased variance of the scores over the squared width of the range.
    Both are at most 1/4 in truth, where half of the episodes are at either end.

    Args:
        scores: One a scored episode, shape `(n,)`.
        tasks: Label of each episode's task, shape `(n,)`.
        threshold: Least score of a success; or
        score_range: range of a score. One of the two.

    Returns:
        The mean over tasks, unitless; tasks with one episode are left out and counted.
        Undefined where none is left.

    Raises:
        MalformedInput: a score is no finite number or outside the range, or labels of
            another length.
        ParameterError: not exactly one of threshold and range, or no finite range.

    Assumptions:
        As of `live_group_share`. Random flips of a verifier count as difference too.

    Source:
        Rutherford et al. 2024, arXiv 2408.15099.

    Example:
        >>> learnability([1, 0, 0, 0], [0, 0, 0, 0], threshold=1.0).estimate
        0.25
    """
    found = _unit_scores(finite_numbers(scores), threshold, score_range)
    codes = group_codes(tasks, found.size)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    episodes = np.bincount(codes)
    enough = episodes >= 2
    if not enough.any():
        return Undefined(reason="no task has two scored episodes", n=episodes.size)
    means = np.bincount(codes, weights=found) / episodes
    squares = np.bincount(codes, weights=(found - means[codes]) ** 2)
    fewest = int(episodes[enough].min())
    return TaskAverage(
        per_task=squares[enough] / (episodes[enough] - 1),
        left_out=int(np.count_nonzero(~enough)),
        most=fewest / (4 * (fewest - 1)) if fewest % 2 == 0 else (fewest + 1) / (4 * fewest),
        most_of_group=0.5,
        groups=int(episodes[enough][0]) // 2,
        remark=range_remark(score_range),
    )


def zero_signal_fraction(
    scores: ArrayLike, tasks: Sequence[Hashable] | ArrayLike, *, group_size: int
) -> Scaled | Undefined:
    """Return the share of groups of G episodes whose scores are all equal: 1 less the live ones.

    Args, Raises, Assumptions, Source:
        As of `live_group_share`.

    Example:
        >>> zero_signal_fraction([0, 0, 0, 1], ["a"] * 4, group_size=2).estimate
        0.5
    """
    live = live_group_share(scores, tasks, group_size=group_size)
    return live if isinstance(live, Undefined) else Scaled(of=live, factor=-1.0, offset=1.0)


def signal_groups_per_episode(live: Estimate, *, group_size: int) -> Scaled:
    """Return how many live groups an episode buys: the live-group share over G.

    Example:
        >>> live = live_group_share([0, 0, 0, 1], ["a"] * 4, group_size=2)
        >>> signal_groups_per_episode(live, group_size=2).estimate
        0.25
    """
    return Scaled(of=known(live, "live"), factor=1 / whole(group_size, "group_size", least=2))


def signal_groups_per_cost(
    live: Estimate, *, group_size: int, cost_per_episode: float, unit: str
) -> Scaled | Undefined:
    """Return how many live groups a unit of cost buys.

    Args:
        live: From `live_group_share`, at the same G.
        group_size: G.
        cost_per_episode: Mean seconds, tokens or money of an episode, taken as exact.
        unit: Of the cost.

    Returns:
        Groups a unit; undefined where an episode costs nothing.

    Raises:
        ParameterError: a cost that is negative or no number.

    Example:
        >>> live = live_group_share([0, 0, 0, 1], ["a"] * 4, group_size=2)
        >>> signal_groups_per_cost(live, group_size=2, cost_per_episode=5, unit="second").estimate
        0.05
    """
    live = known(live, "live")
    if not 0 <= number(cost_per_episode, "cost_per_episode") < np.inf:
        raise ParameterError(
            f"cost_per_episode: need a number of at least 0, got {cost_per_episode}"
        )
    if cost_per_episode == 0:
        return Undefined(reason="an episode costs nothing", n=live.n)
    size = whole(group_size, "group_size", least=2)
    return Scaled(of=live, factor=1 / (size * cost_per_episode), unit=f"groups per {unit}")


def advantage_energy(learned: Estimate, *, group_size: int) -> Scaled:
    """Return the mean square of the leave-one-out advantage in groups of G: s² G / (G − 1).

    Args:
        learned: From `learnability`: the variance within tasks over the range squared.
        group_size: G.

    Returns:
        The energy per episode, in units of the range squared; largest at a success rate of 1/2.

    Source:
        Advantage = score less the mean of the other G − 1; its variance is s² (1 + 1/(G − 1)).

    Example:
        >>> learned = learnability([1, 0, 0, 0], [0] * 4, threshold=1.0)
        >>> advantage_energy(learned, group_size=5).estimate
        0.3125
    """
    size = whole(group_size, "group_size", least=2)
    return Scaled(of=known(learned, "learned"), factor=size / (size - 1))


def success_failure_pairs(learned: Estimate, *, group_size: int) -> Scaled:
    """Return how many pairs of a success and a failure a group of G holds: G (G − 1) p (1 − p).

    Args:
        learned: From `learnability` with a threshold.
        group_size: G.

    Example:
        >>> learned = learnability([1, 0, 0, 0], [0] * 4, threshold=1.0)
        >>> success_failure_pairs(learned, group_size=4).estimate
        3.0
    """
    size = whole(group_size, "group_size", least=2)
    return Scaled(of=known(learned, "learned"), factor=size * (size - 1))


def group_reward_entropy(
    scores: ArrayLike, tasks: Sequence[Hashable] | ArrayLike, *, group_size: int
) -> TaskAverage | Undefined:
    """Return the expected entropy of the scores in a group of G episodes of one task.

    Per task, over all groups that could be drawn without replacement, the mean of
    −Σ_v (m_v / G) ln(m_v / G), where m_v of the group scored v; unbiased for every G up to n.
    The entropy of the task's own distribution, which has no unbiased estimate, is above it.

    Args, Raises, Assumptions:
        As of `live_group_share`.

    Returns:
        Mean over tasks, in nats, at most ln G; tasks with fewer than G episodes are left out.

    Source:
        The counting argument of `live_group_share`.

    Example:
        >>> round(group_reward_entropy([0, 1], ["a", "a"], group_size=2).estimate, 4)
        0.6931
    """
    runs = _runs_in_groups(scores, tasks, group_size)
    if isinstance(runs, Undefined):
        return runs
    size, episodes, enough, task_of, equal = runs
    part = _expected_entropy(equal, episodes[task_of], size)
    per_task = np.bincount(task_of, weights=part, minlength=episodes.size)[enough]
    return TaskAverage(
        per_task=np.clip(per_task, 0.0, math.log(size)),
        left_out=int(np.count_nonzero(~enough)),
        most=math.log(size),
        most_of_group=math.log(size),
        groups=int(episodes[enough][0]) // size,
    )


def _expected_entropy(equal: Codes, episodes: Codes, size: int) -> Floats:
    """Return E[−(m/G) ln(m/G)], m of G drawn from `equal` marked among `episodes`."""
    pairs, back = np.unique(np.stack([equal, episodes]), axis=1, return_inverse=True)
    marked, total = pairs.astype(np.float64)
    found: Floats = np.zeros(marked.size)
    for drawn in range(1, size):
        chance = (
            _log_choose(marked, drawn)
            + _log_choose(total - marked, size - drawn)
            - _log_choose(total, size)
        )
        found -= np.exp(chance) * (drawn / size) * math.log(drawn / size)
    return found[back.ravel()]


def _log_choose(n: Floats, k: int) -> Floats:
    enough = n >= k
    safe = np.where(enough, n, float(k))
    value = gammaln(safe + 1) - gammaln(k + 1) - gammaln(safe - k + 1)
    return np.asarray(np.where(enough, value, -np.inf))


def _unit_scores(
    scores: Floats, threshold: float | None, score_range: tuple[float, float] | None
) -> Floats:
    """Return scores that lie in [0, 1]."""
    if (threshold is None) == (score_range is None):
        raise ParameterError("learnability: need either a threshold or a score range")
    if threshold is not None:
        return (scores >= number(threshold, "threshold")).astype(np.float64)
    low, high = score_bounds(score_range)
    if not np.isfinite(high - low):
        raise ParameterError("score_range: need finite ends")
    within_bounds(scores, (low, high))
    return (scores - low) / (high - low)


def runs_of_equal(scores: Floats, codes: Codes) -> tuple[Codes, Codes]:
    """Return, for each distinct score of each task, its task and how often it came.

    Tasks come in order, each with all its scores.
    """
    order = np.lexsort((scores, codes))
    sorted_codes, sorted_scores = codes[order], scores[order]
    begins = np.ones(scores.size, dtype=bool)
    begins[1:] = (np.diff(sorted_codes) != 0) | (np.diff(sorted_scores) != 0)
    at = np.flatnonzero(begins)
    return sorted_codes[at], np.diff(np.append(at, scores.size))
