"""Splits the spread of scores into between tasks and within tasks."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from metrics.inputs import Floats, finite_numbers, fraction, group_codes
from metrics.results import Interval, Undefined

LEAST_TASKS = 10
"""Fewest tasks from which a variance component gets an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A quantity of the variance split, with the values it takes without each task."""

    estimate: float
    without_task: Floats
    """Shape `(tasks,)`; empty where leaving one out leaves too little."""
    least: float
    most: float

    @property
    def n(self) -> int:
        """Number of tasks."""
        return self.without_task.size

    @property
    def method(self) -> str:
        if self.n < LEAST_TASKS:
            return f"none: fewer than {LEAST_TASKS} tasks"
        return "jackknife over tasks"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval, the whole range where there are too few tasks."""
        level = fraction(level)
        if self.n < LEAST_TASKS:
            return Interval(self.least, self.most)
        pseudo = self.n * self.estimate - (self.n - 1) * self.without_task
        error = float(pseudo.std(ddof=1)) / math.sqrt(self.n)
        half = float(stdtrit(self.n - 1, 0.5 + level / 2)) * error
        return Interval(max(self.least, self.estimate - half), min(self.most, self.estimate + half))


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One-way split of the variance of scores."""

    between: Component
    """Variance of the tasks' true means; unbiased, so it may fall below zero by chance."""
    within: Component
    """Variance of episodes of one task."""
    icc: Component
    """Intraclass correlation: between over between plus within."""
    tasks: int
    n: int
    """Episodes."""


def spread(scores: ArrayLike, tasks: Sequence[Hashable] | ArrayLike) -> Spread | Undefined:
    """Return the variance of scores between and within tasks.

    Analysis of variance with unequal numbers of episodes: within = MSW,
    between = (MSB − MSW) / n0, n0 = (N − Σ n_t² / N) / (T − 1).

    Args:
        scores: One a scored episode, shape `(n,)`.
        tasks: Label of each episode's task, shape `(n,)`.

    Returns:
        Both variances in the squared unit of the score and the intraclass correlation,
        unitless. Undefined with fewer than two tasks, with one episode in each, or where all
        scores are equal, which leaves no share to be split.

    Raises:
        MalformedInput: a score is no finite number, or labels of another length.

    Assumptions:
        Tasks are independent draws of one population; episodes of a task are independent.

    Source:
        Searle, Casella, McCulloch 1992, "Variance Components", section 3.6.

    Example:
        >>> found = spread([0, 2, 4, 6], ["a", "a", "b", "b"])
        >>> found.within.estimate, found.between.estimate, round(found.icc.estimate, 4)
        (2.0, 7.0, 0.7778)
    """
    found = finite_numbers(scores)
    codes = group_codes(tasks, found.size)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    sizes = np.bincount(codes).astype(np.float64)
    if sizes.size < 2:
        return Undefined(reason="there is one task only", n=found.size)
    if sizes.max() < 2:
        return Undefined(reason="no task has two scored episodes", n=found.size)
    if found.min() == found.max():
        return Undefined(reason="all scores are equal", n=found.size)
    means = np.bincount(codes, weights=found) / sizes
    inside = np.asarray(np.bincount(codes, weights=(found - means[codes]) ** 2), dtype=float)
    between, within = _components(sizes, means, inside)
    left = _without_each(sizes, means, inside)
    return Spread(
        between=Component(estimate=between, without_task=left[0], least=0.0, most=math.inf),
        within=Component(estimate=within, without_task=left[1], least=0.0, most=math.inf),
        icc=Component(
            estimate=between / (between + within),
            without_task=left[0] / (left[0] + left[1]),
            least=0.0,
            most=1.0,
        ),
        tasks=sizes.size,
        n=found.size,
    )


def _components(sizes: Floats, means: Floats, inside: Floats) -> tuple[float, float]:
    n, tasks = float(sizes.sum()), sizes.size
    grand = float(np.sum(sizes * means) / n)
    within = float(inside.sum() / (n - tasks))
    outside = float(np.sum(sizes * (means - grand) ** 2)) / (tasks - 1)
    share = (n - float(np.sum(sizes**2)) / n) / (tasks - 1)
    return (outside - within) / share, within


def _without_each(sizes: Floats, means: Floats, inside: Floats) -> tuple[Floats, Floats]:
    """Return both components without each task in turn, empty where that cannot be."""
    tasks = sizes.size - 1
    n = sizes.sum() - sizes
    if tasks < 2 or np.any(n - tasks < 1):
        return np.empty(0), np.empty(0)
    total, squares = np.sum(sizes * means), np.sum(sizes * means**2)
    outside = squares - sizes * means**2 - (total - sizes * means) ** 2 / n
    within = (inside.sum() - inside) / (n - tasks)
    share = (n - (np.sum(sizes**2) - sizes**2) / n) / (tasks - 1)
    between = (np.maximum(outside, 0.0) / (tasks - 1) - within) / share
    if np.any(between + within == 0):
        return np.empty(0), np.empty(0)
    return between, within
