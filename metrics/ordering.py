"""Whether stronger probes score higher: trend tests, superiority, inversions."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from metrics.bounded import chernoff_interval, gaffke_interval
from metrics.comparison import doubled_ranks, rank_sum, superiority_of
from metrics.errors import MalformedInput
from metrics.inputs import Codes, Floats, finite_numbers, fraction, group_codes
from metrics.inputs import table as two_dimensional
from metrics.multiplicity import holm
from metrics.results import Interval, Significance, Undefined

Column = Sequence[Hashable] | ArrayLike
FEWEST: Final = 20
"""Episodes below which the normal approximation of a trend test is not trusted."""


def jonckheere_terpstra(
    scores: ArrayLike, tiers: ArrayLike, blocks: Column | None = None
) -> Significance | Undefined:
    """Return whether scores rise with the tier of the probe (one-sided).

    J counts, over all pairs of episodes of two tiers, how often the higher tier scores
    higher, ties half; blocks are counted apart and added. Against its mean and tie-corrected
    variance when tiers are dealt out at random within blocks, corrected for continuity.

    Args:
        scores: One a scored episode, shape `(n,)`.
        tiers: Number of each episode's tier, rising with capability, shape `(n,)`.
        blocks: Label of each episode's task, shape `(n,)`; all probes play the same tasks,
            so compare within them.

    Returns:
        The test; its statistic is J. Undefined with fewer than 20 episodes in blocks where
        tiers and scores vary, or with none.

    Raises:
        MalformedInput: a score or tier is no finite number, or other lengths.

    Assumptions:
        Under the hypothesis the episodes of a block are exchangeable.

    Source:
        Hollander, Wolfe, Chicken 2014, "Nonparametric Statistical Methods", section 6.2;
        Jonckheere 1954.

    Example:
        >>> found = jonckheere_terpstra(range(24), [0] * 8 + [1] * 8 + [2] * 8)
        >>> found.statistic, found.p_value < 1e-6
        (192.0, True)
    """
    found, order = finite_numbers(scores), finite_numbers(tiers, "tiers")
    if found.size != order.size:
        raise MalformedInput(f"{order.size} tiers for {found.size} scores")
    codes = (
        np.zeros(found.size, dtype=np.intp)
        if blocks is None
        else group_codes(blocks, found.size, "blocks")
    )
    total = mean = variance = 0.0
    used, step = 0, math.inf
    for rows in _members(codes):
        x, tier = found[rows], order[rows]
        if x.min() == x.max() or tier.min() == tier.max():
            continue
        total += _jonckheere(x, tier)
        one, two = _jonckheere_moments(x, tier)
        mean, variance, used = mean + one, variance + two, used + x.size
        step = min(step, _step(x, tier))
    if used < FEWEST:
        return Undefined(
            reason=f"{used} episodes where tiers and scores vary, {FEWEST} are needed",
            n=found.size,
        )
    z = (total - step / 2 - mean) / math.sqrt(variance)
    return Significance(
        p_value=float(ndtr(-z)),
        statistic=total,
        n=used,
        method="Jonckheere-Terpstra, rising" + ("" if blocks is None else ", within blocks"),
    )


def _members(codes: Codes) -> list[Codes]:
    if not codes.size:
        return []
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.cumsum(np.bincount(codes))[:-1])


def _jonckheere(scores: Floats, tiers: Floats) -> float:
    levels = [scores[tiers == tier] for tier in np.unique(tiers)]
    total = 0.0
    for j, high in enumerate(levels):
        for low in levels[:j]:
            total += superiority_of(high, low) * low.size * high.size
    return total


def _step(scores: Floats, tiers: Floats) -> float:
    """Return by how much J changes at least where one episode does otherwise."""
    if np.unique(scores).size > 2:
        return 0.5
    sizes = np.unique(tiers, return_counts=True)[1]
    return float(np.min(sizes[1:] + sizes[:-1])) / 2


def _jonckheere_moments(scores: Floats, tiers: Floats) -> tuple[float, float]:
    n = float(scores.size)
    groups = np.unique(tiers, return_counts=True)[1].astype(np.float64)
    ties = np.unique(scores, return_counts=True)[1].astype(np.float64)

    def five(t: Floats) -> float:
        return float(np.sum(t * (t - 1) * (2 * t + 5)))

    def three(t: Floats) -> float:
        return float(np.sum(t * (t - 1) * (t - 2)))

    def two(t: Floats) -> float:
        return float(np.sum(t * (t - 1)))

    variance = (n * (n - 1) * (2 * n + 5) - five(groups) - five(ties)) / 72
    if n > 2:
        variance += three(groups) * three(ties) / (36 * n * (n - 1) * (n - 2))
    variance += two(groups) * two(ties) / (8 * n * (n - 1))
    return (n * n - float(np.sum(groups**2))) / 4, variance


def page_trend(table: ArrayLike) -> Significance | Undefined:
    """Return whether scores rise with the tier, from one score a task and tier (one-sided).

    L adds, over tasks and tiers, the number of the tier times the rank of its score among the
    task's. Against its mean and tie-corrected variance when ranks are dealt out at random.

    Args:
        table: Mean score, shape `(tasks, tiers)`, tiers rising with capability.

    Returns:
        The test; its statistic is L. Undefined with fewer than 20 scores, or where no task's
        scores vary.

    Raises:
        MalformedInput: not a table, or a score is no finite number.

    Source:
        Page 1963, "Ordered hypotheses for multiple treatments".

    Example:
        >>> page_trend([[1, 2, 3]] * 9).statistic
        126.0
    """
    flat = two_dimensional(table, "table")
    tasks, tiers = flat.shape
    if flat.size < FEWEST or tiers < 2:
        return Undefined(reason=f"{tasks} tasks by {tiers} tiers are too few", n=tasks)
    ranks = np.array([doubled_ranks(row) / 2 for row in flat])
    number = np.arange(1, tiers + 1)
    spread = np.sum((ranks - (tiers + 1) / 2) ** 2, axis=1)
    variance = float(spread.sum() * np.sum((number - (tiers + 1) / 2) ** 2)) / (tiers - 1)
    if variance == 0:
        return Undefined(reason="no task's scores vary", n=tasks)
    total = float((ranks @ number).sum())
    mean = tasks * tiers * (tiers + 1) ** 2 / 4
    return Significance(
        p_value=float(ndtr(-(total - mean) / math.sqrt(variance))),
        statistic=total,
        n=tasks,
        method="Page's L, rising",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Superiority:
    """Chance that an episode of one probe scores above one of another on the same task."""

    per_task: Floats
    left_out: int
    """Tasks that only one of the probes played."""
    disjoint: int
    """Pairs of the first task that share no episode."""

    @property
    def estimate(self) -> float:
        return float(self.per_task.mean())

    @property
    def n(self) -> int:
        return self.per_task.size

    @property
    def method(self) -> str:
        if self.n == 1:
            return "Chernoff, over disjoint pairs of the one task"
        return "Gaffke, over tasks"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval over tasks; of the task itself where there is one."""
        if self.n > 1:
            return gaffke_interval(self.per_task, (0.0, 1.0), fraction(level))
        return chernoff_interval(self.estimate, self.disjoint, fraction(level))


def superiority(
    strong: Mapping[str, ArrayLike], weak: Mapping[str, ArrayLike]
) -> Superiority | Undefined:
    """Return the probability of superiority of one probe over another, averaged over tasks.

    Per task the share of pairs in which the first scores higher, ties counted half.

    Args:
        strong: Scores of the first probe by task, shape `(n,)` each.
        weak: Scores of the second.

    Returns:
        The mean, unitless, in [0, 1], 0.5 where neither is better; undefined where no task
        was played by both.

    Raises:
        MalformedInput: a score is no finite number.

    Assumptions:
        Tasks are independent draws of one population; episodes of a task are independent.

    Source:
        Agarwal et al. 2021, arXiv 2108.13264, section 4.4 (probability of improvement).

    Example:
        >>> superiority({"a": [2, 3], "b": [0, 1]}, {"a": [1, 1], "b": [0, 1]}).estimate
        0.75
    """
    pairs = _both(strong, weak)
    if not pairs:
        return Undefined(reason="no task was played by both probes", n=0)
    first, second = next(iter(pairs.values()))
    return Superiority(
        per_task=np.array([superiority_of(one, two) for one, two in pairs.values()]),
        left_out=len(strong.keys() | weak.keys()) - len(pairs),
        disjoint=min(first.size, second.size),
    )


def _both(
    strong: Mapping[str, ArrayLike], weak: Mapping[str, ArrayLike]
) -> dict[str, tuple[Floats, Floats]]:
    pairs = {
        task: (finite_numbers(strong[task], task), finite_numbers(weak[task], task))
        for task in strong
        if task in weak
    }
    return {task: pair for task, pair in pairs.items() if pair[0].size and pair[1].size}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inversion:
    """A task on which the weaker probe does better."""

    task: str
    superiority: float
    """Of the stronger probe, below 0.5."""
    p_value: float
    """Adjusted for the number of tasks (Holm)."""


def inversions(
    strong: Mapping[str, ArrayLike], weak: Mapping[str, ArrayLike], *, level: float = 0.95
) -> list[Inversion]:
    """Return the tasks on which the weaker probe surely does better, the surest first.

    Args:
        strong: Scores of the stronger probe by task, shape `(n,)` each.
        weak: Scores of the weaker one.
        level: Chance that none of the tasks named is named falsely.

    Returns:
        Such tasks; none where there are none or the data do not show them.

    Raises:
        MalformedInput: a score is no finite number.

    Assumptions:
        Episodes are independent.

    Source:
        One-sided rank-sum tests, corrected by Holm 1979.

    Example:
        >>> found = inversions({"a": [0] * 9, "b": [1] * 9}, {"a": [1] * 9, "b": [1] * 9})
        >>> [one.task for one in found]
        ['a']
    """
    pairs = _both(strong, weak)
    tests = {task: rank_sum(two, one) for task, (one, two) in pairs.items()}
    sure = {task: test for task, test in tests.items() if isinstance(test, Significance)}
    adjusted = holm([test.p_value for test in sure.values()])
    found = [
        Inversion(task=task, superiority=1 - test.statistic, p_value=float(p_value))
        for (task, test), p_value in zip(sure.items(), adjusted, strict=True)
        if p_value <= 1 - fraction(level)
    ]
    return sorted(found, key=lambda one: (one.p_value, one.task))
