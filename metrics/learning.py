"""Whether an agent that learns got better: the slope of its curve, and what it gained."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from metrics.errors import MalformedInput
from metrics.inputs import Floats, finite_numbers, fraction, group_codes
from metrics.results import Interval, Undefined

PER: Final = 100
"""Episodes that a slope is told for."""
FEWEST: Final = 8
"""Turns below which a curve has no slope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSlope:
    """Rise of a score over episodes of learning, for `PER` of them."""

    estimate: float
    error: float
    """Standard error."""
    turns: int
    n: int
    """Scored episodes."""

    @property
    def method(self) -> str:
        return f"least squares over {self.turns} turns, Student t"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval."""
        reach = float(stdtrit(self.turns - 2, 0.5 + fraction(level) / 2)) * self.error
        return Interval(self.estimate - reach, self.estimate + reach)


def learning_slope(
    scores: ArrayLike, episodes: ArrayLike, starts: Sequence[Hashable], *, turn: int
) -> LearningSlope | Undefined:
    """Return how much the score rises in a hundred episodes of learning.

    Starts are played by turns. Each score is held against the mean of its start, so that what
    starts are worth does not look like learning; what is left is averaged over each turn, and a
    straight line laid through these averages.

    Args:
        scores: One a scored episode, shape `(n,)`.
        episodes: Number of each episode in the order of play, from 0, shape `(n,)`.
        starts: Label of each episode's start, shape `(n,)`.
        turn: Episodes of one turn, which is the number of starts.

    Returns:
        The slope, in the score's unit, with an interval; undefined with fewer than eight turns.

    Raises:
        MalformedInput: a score is no finite number, or other lengths.

    Assumptions:
        Were nothing learned, the averages of turns would be independent and of one distribution,
        of which there are enough for their weighted sum to be near normal. Where something was, the
        interval is one of the mean rise, and only as good as a straight line is.

    Source:
        Ordinary least squares (Draper and Smith 1998, "Applied Regression Analysis", section 1.4).

    Example:
        >>> found = learning_slope([0, 1] * 8 + [1, 1] * 8, range(32), ["a", "b"] * 16, turn=2)
        >>> round(found.estimate, 1), found.confidence_interval().low > 0
        (2.4, True)
    """
    found, order = finite_numbers(scores), finite_numbers(episodes, "episodes")
    if found.size != order.size:
        raise MalformedInput(f"{order.size} episodes for {found.size} scores")
    if not found.size:
        return Undefined(reason="no episode of learning was scored", n=0)
    codes = group_codes(starts, found.size, "starts")
    means = np.bincount(codes, found) / np.bincount(codes)
    at, averages = _averages(found - means[codes], (order // turn).astype(np.intp))
    if at.size < FEWEST:
        return Undefined(reason=f"{at.size} turns are too few for a trend", n=int(found.size))
    away = at - at.mean()
    spread = float(np.sum(away**2))
    rise = float(away @ averages) / spread
    misfit = averages - averages.mean() - rise * away
    error = math.sqrt(float(np.sum(misfit**2)) / (at.size - 2) / spread)
    return LearningSlope(
        estimate=rise * PER / turn, error=error * PER / turn, turns=at.size, n=int(found.size)
    )


def _averages(values: Floats, turns: np.ndarray) -> tuple[Floats, Floats]:
    counts = np.bincount(turns)
    at = np.flatnonzero(counts)
    return at.astype(np.float64), np.bincount(turns, values)[at] / counts[at]


def curve(scores: ArrayLike, episodes: ArrayLike, *, points: int = 10) -> list[tuple[int, float]]:
    """Return a learning curve: the mean score of each of some equal parts of the episodes.

    Args:
        scores: One a scored episode, shape `(n,)`.
        episodes: Number of each episode in the order of play, from 0, shape `(n,)`.
        points: Parts.

    Returns:
        Number of the last episode of each part, counted from 1, and the part's mean; parts without
        a score are left out.

    Raises:
        MalformedInput: a score is no finite number, or other lengths.

    Example:
        >>> curve([0, 0, 1, 1], range(4), points=2)
        [(2, 0.0), (4, 1.0)]
    """
    found, order = finite_numbers(scores), finite_numbers(episodes, "episodes")
    if found.size != order.size:
        raise MalformedInput(f"{order.size} episodes for {found.size} scores")
    if not found.size:
        return []
    edges = np.linspace(0, order.max() + 1, points + 1)
    out = []
    for low, high in zip(edges, edges[1:], strict=False):
        inside = found[(order >= low) & (order < high)]
        if inside.size:
            out.append((int(np.ceil(high)), float(inside.mean())))
    return out
