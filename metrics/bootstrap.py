"""Intervals for mean scores, plain and by cluster of tasks."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from metrics.bounded import gaffke_interval
from metrics.inputs import (
    Codes,
    Floats,
    finite_numbers,
    fraction,
    group_codes,
    score_bounds,
    within_bounds,
)
from metrics.results import Interval, Undefined

LEAST_UNBOUNDED = 5
"""Fewest units from which a mean of unbounded scores gets an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanScore:
    """A mean over independent units: episodes, or clusters of them."""

    units: Floats
    """One value a unit: its score, or its mean score where it is a cluster."""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    unit: str = "episodes"

    @property
    def estimate(self) -> float:
        return float(self.units.mean())

    @property
    def n(self) -> int:
        return self.units.size

    @property
    def method(self) -> str:
        of = f"over {self.unit}"
        if all(map(math.isfinite, self.bounds)):
            return f"Gaffke, {of}"
        if self.n < LEAST_UNBOUNDED:
            return f"none: {self.n} {self.unit} and no bounds of the score"
        if self._constant:
            return f"none: all {self.n} {self.unit} are equal and the score has no bounds"
        return f"Student t, {of}"

    @property
    def _constant(self) -> bool:
        return bool(self.units.min() == self.units.max())

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval; an end that the data cannot bound is infinite."""
        level = fraction(level)
        if any(map(math.isfinite, self.bounds)):
            return gaffke_interval(self.units, self.bounds, level)
        if self.n < LEAST_UNBOUNDED or self._constant:
            return Interval(-math.inf, math.inf)
        error = float(self.units.std(ddof=1)) / math.sqrt(self.n)
        half = float(stdtrit(self.n - 1, 0.5 + level / 2)) * error
        return Interval(self.estimate - half, self.estimate + half)


def mean_score(
    scores: ArrayLike,
    clusters: Sequence[Hashable] | ArrayLike | None = None,
    *,
    bounds: tuple[float, float] | None = None,
    rng: np.random.Generator,
) -> MeanScore | Undefined:
    """Return the mean score, each cluster weighing the same.

    Args:
        scores: One a scored episode, shape `(n,)`.
        clusters: Label of each episode's task or start, shape `(n,)`. Episodes of one
            cluster are not independent, so the interval is over clusters. With one label
            only, or none, it is over episodes, and says nothing of other tasks.
        bounds: Range of a score, where it has one.
        rng: Generator for resampling.

    Returns:
        The mean in the score's unit; undefined where no episode was scored.

    Raises:
        MalformedInput: a score is no finite number or outside `bounds`, or labels of another
            length.
        ParameterError: bounds not in rising order.

    Assumptions:
        Clusters (or episodes) are independent draws of one population.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> found = mean_score([0.0, 0.0, 1.0, 1.0], ["a", "a", "b", "b"], bounds=(0, 1), rng=rng)
        >>> found.estimate, found.n, [round(end, 3) for end in found.confidence_interval()]
        (0.5, 2, [0.013, 0.987])
    """
    found, limits = finite_numbers(scores), score_bounds(bounds)
    within_bounds(found, limits)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    return mean_over(found, clusters, limits)


def mean_over(
    scores: Floats,
    clusters: Sequence[Hashable] | ArrayLike | None,
    bounds: tuple[float, float],
) -> MeanScore:
    """Return the mean of scores that are there, over clusters where there are several."""
    if clusters is not None:
        codes = group_codes(clusters, scores.size, "clusters")
        if codes.max() > 0:
            return MeanScore(units=cluster_means(scores, codes), bounds=bounds, unit="clusters")
    return MeanScore(units=scores, bounds=bounds)


def cluster_means(scores: Floats, codes: Codes) -> Floats:
    """Return the mean of each cluster, shape `(clusters,)`."""
    sizes = np.bincount(codes)
    means: Floats = np.bincount(codes, weights=scores) / sizes
    return np.clip(means, scores.min(), scores.max())
