"""How well each task tells able agents from others, without a model of either."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from metrics.inputs import Floats, fraction, whole
from metrics.inputs import table as two_dimensional
from metrics.results import Interval, Undefined

FEWEST_AGENTS: Final = 20
"""Agents below which an item-rest correlation has no interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRest:
    """Correlation over agents of one task's score with the mean of all other tasks."""

    estimate: float
    without: Floats
    """The same without each agent, shape `(agents,)`."""

    @property
    def n(self) -> int:
        """Number of agents."""
        return self.without.size

    @property
    def method(self) -> str:
        why = self._refusal
        return f"none: {why}" if why else "jackknife over agents of Fisher's z"

    @property
    def _refusal(self) -> str | None:
        if self.n < FEWEST_AGENTS:
            return f"{self.n} agents, {FEWEST_AGENTS} are needed for an interval"
        if np.max(np.abs(np.append(self.without, self.estimate))) > 1 - 1e-9:
            return "one agent alone decides the correlation, or none departs from a line"
        return None

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval, -1 to 1 where the data give none."""
        level = fraction(level)
        if self._refusal is not None:
            return Interval(-1.0, 1.0)
        z, others = math.atanh(self.estimate), np.arctanh(self.without)
        error = float((self.n * z - (self.n - 1) * others).std(ddof=1)) / math.sqrt(self.n)
        half = float(stdtrit(self.n - 1, 0.5 + level / 2)) * error
        return Interval(math.tanh(z - half), math.tanh(z + half))


def item_rest_correlation(
    table: ArrayLike, *, least: int = 5
) -> list[ItemRest | Undefined] | Undefined:
    """Return how well each task tells able agents from others.

    The correlation over agents of the task's score with the mean of all other tasks. Below
    zero: the task rewards what others punish, and is often broken.

    Args:
        table: Score, shape `(agents, tasks)`.
        least: Agents needed.

    Returns:
        A correlation for each task, undefined where the task's score, or that of all others,
        does not vary; undefined as a whole with fewer agents, or fewer than three tasks. There
        is an interval from 20 agents on.

    Raises:
        MalformedInput: not a table, or a score is no finite number.
        ParameterError: fewer agents asked for than three.

    Assumptions:
        Agents are independent draws of one population. Each interval is of one task; who looks
        at all of them for the worst corrects for that. A score of two values needs 50 agents,
        and one of them not rarer than one in five.

    Source:
        Classical test theory: corrected item-total correlation (Lord and Novick 1968); Efron
        and Tibshirani 1993, chapter 11, for the jackknife.

    Example:
        >>> table = [[0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 1, 0], [1, 1, 0]]
        >>> first, second, third = item_rest_correlation(table)
        >>> round(first.estimate, 2), second.reason, round(third.estimate, 2)
        (-0.61, 'the mean of the other tasks does not vary', -0.92)
    """
    found = two_dimensional(table, "table")
    agents, tasks = found.shape
    whole(least, "least", least=3)
    if agents < least or tasks < 3:
        return Undefined(reason=f"{agents} agents on {tasks} tasks are too few", n=agents)
    scores = _unit_columns(found)
    rest = (scores.sum(axis=1, keepdims=True) - scores) / (tasks - 1)
    return [_item_rest(scores[:, at], rest[:, at]) for at in range(tasks)]


def _unit_columns(scores: Floats) -> Floats:
    """Return scores over their greatest size, which keeps squares from overflow."""
    most = float(np.max(np.abs(scores)))
    return scores / most if most > 0 else scores


def _item_rest(item: Floats, rest: Floats) -> ItemRest | Undefined:
    n = item.size
    for values, name in ((item, "the task's score"), (rest, "the mean of the other tasks")):
        if np.ptp(values) < 1e-12:
            return Undefined(reason=f"{name} does not vary", n=n)
    x, y = item - item.mean(), rest - rest.mean()
    x, y = x / math.sqrt(float(x @ x)), y / math.sqrt(float(y @ y))
    part = n / (n - 1)
    left = np.sqrt(np.maximum(1 - part * x**2, 0) * np.maximum(1 - part * y**2, 0))
    product, estimate = float(x @ y) - part * x * y, float(x @ y)
    far = np.copysign(1.0, product)
    without = np.divide(product, left, out=far, where=left > 1e-6)
    return ItemRest(estimate=min(1.0, max(-1.0, estimate)), without=np.clip(without, -1.0, 1.0))
