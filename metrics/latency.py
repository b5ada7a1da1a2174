"""Quantiles of times, throughput against concurrency, change over episodes."""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, ndtri

from metrics.errors import MalformedInput
from metrics.inputs import Floats, finite_numbers, fraction
from metrics.results import Interval, Undefined

FEWEST: Final = 8
"""Episodes below which a trend has no estimate."""
MOST_PAIRED: Final = 1000
"""Episodes up to which a trend compares all pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile:
    """A quantile of independent values of one unknown distribution."""

    estimate: float
    q: float
    ordered: Floats
    """The values, rising."""

    @property
    def n(self) -> int:
        return self.ordered.size

    @property
    def method(self) -> str:
        return "order statistics"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return two of the values, between which the quantile lies at `level` or above.

        Holds for any distribution. An end is infinite where n is too small for any value to
        bound the quantile on that side.
        """
        tail = (1 - fraction(level)) / 2
        below = bdtr(np.arange(self.n), self.n, self.q)
        low = int(np.count_nonzero(below <= tail)) - 1
        high = int(np.count_nonzero(below < 1 - tail))
        return Interval(
            float(self.ordered[low]) if low >= 0 else -math.inf,
            float(self.ordered[high]) if high < self.n else math.inf,
        )


def quantile(values: ArrayLike, q: float) -> Quantile | Undefined:
    """Return the q-quantile of some values, in their unit.

    Args:
        values: Shape `(n,)`.
        q: Between 0 and 1; 0.95 for the time that one in twenty exceeds.

    Returns:
        The estimate (linear interpolation of order statistics) with a distribution-free
        interval; undefined for no value.

    Raises:
        MalformedInput: a value is no finite number.
        ParameterError: q is not between 0 and 1.

    Assumptions:
        Values are independent and of one distribution.

    Source:
        David and Nagaraja 2003, "Order Statistics", section 7.1.

    Example:
        >>> found = quantile(range(1, 101), 0.5)
        >>> found.estimate, tuple(found.confidence_interval(0.95))
        (50.5, (40.0, 61.0))
    """
    found, q = finite_numbers(values, "values"), fraction(q, "q")
    if not found.size:
        return Undefined(reason="no value", n=0)
    ordered = np.sort(found)
    ordered.flags.writeable = False
    return Quantile(estimate=float(np.quantile(ordered, q)), q=q, ordered=ordered)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """How much a value changes from one episode to the next: the median of pairwise slopes."""

    estimate: float
    ordered: Floats
    """The slopes, rising."""
    error: float
    """Standard deviation of the number of rising less falling pairs, were there no trend; 0
    where the pairs share no episode."""
    n: int
    """Episodes."""

    @property
    def method(self) -> str:
        return "Theil-Sen" if self.error else "Theil-Sen, disjoint pairs"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the interval between two of the slopes; an end may be infinite."""
        pairs = self.ordered.size
        if self.error:
            reach = float(-ndtri((1 - fraction(level)) / 2)) * self.error
            outside = math.floor((pairs - reach) / 2) - 1
        else:
            below = bdtr(np.arange(pairs), pairs, 0.5)
            outside = int(np.count_nonzero(below <= (1 - fraction(level)) / 2)) - 1
        if outside < 0:
            return Interval(-math.inf, math.inf)
        return Interval(float(self.ordered[outside]), float(self.ordered[pairs - 1 - outside]))


def drift(values: ArrayLike, positions: ArrayLike | None = None) -> Slope | Undefined:
    """Return how much a value (latency, memory) changes over episodes, whatever its outliers.

    Args:
        values: One an episode, shape `(n,)`.
        positions: Number of each episode, shape `(n,)`; 0, 1, 2 ... where None.

    Returns:
        The slope per episode in the value's unit; undefined with fewer than eight episodes, or
        at one position. Above 1,000 episodes, each is paired with the one half a run later
        instead of all others.

    Raises:
        MalformedInput: a value is no finite number, or positions of another length.

    Assumptions:
        Around a straight line, values are independent and of one distribution.

    Source:
        Theil 1950; Sen 1968, "Estimates of the regression coefficient based on Kendall's tau".

    Example:
        >>> found = drift([1.0, 2.1, 2.9, 4.2, 5.0, 5.8, 7.1, 8.0])
        >>> round(found.estimate, 2)
        1.0
    """
    found = finite_numbers(values, "values")
    place = (
        np.arange(found.size, dtype=np.float64)
        if positions is None
        else finite_numbers(positions, "positions")
    )
    if place.size != found.size:
        raise MalformedInput(f"{place.size} positions for {found.size} values")
    if found.size < FEWEST or place.min() == place.max():
        return Undefined(reason=f"{found.size} episodes are too few for a trend", n=found.size)
    n = found.size
    if n > MOST_PAIRED:
        order = np.argsort(place, kind="stable")
        half = n // 2
        one, other, error = order[:half], order[n - half :], 0.0
    else:
        one, other = np.triu_indices(n, 1)
        error = math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    apart = place[other] != place[one]
    rise = found[other][apart] - found[one][apart]
    slopes = np.sort(rise / (place[other] - place[one])[apart])
    return Slope(estimate=float(np.median(slopes)), ordered=slopes, error=error, n=n)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThroughputScaling:
    """Universal scalability law fitted to throughput at several concurrencies."""

    single: float
    """Throughput of one session."""
    contention: float
    """Share of the work that is done one at a time."""
    crosstalk: float
    """Cost of each pair of sessions, as a share of the work of one."""
    worst_misfit: float
    """Largest relative distance between a measured and the fitted throughput."""
    n: int
    """Concurrencies."""

    @property
    def peak(self) -> float:
        """Number of sessions with the highest throughput, infinite where more never harm."""
        if self.crosstalk == 0:
            return math.inf
        return math.sqrt(max(0.0, 1 - self.contention) / self.crosstalk)

    def throughput(self, sessions: float) -> float:
        """Return the fitted throughput at a number of sessions."""
        slowed = 1 + self.contention * (sessions - 1) + self.crosstalk * sessions * (sessions - 1)
        return self.single * sessions / slowed


def throughput_scaling(sessions: ArrayLike, throughput: ArrayLike) -> ThroughputScaling | Undefined:
    """Return how throughput grows with concurrency.

    X(N) = λ N / (1 + σ (N − 1) + κ N (N − 1)), by least squares on N / X weighted by X / N, no
    coefficient below zero. A description of the measured points: it has no interval.

    Args:
        sessions: Concurrent sessions N, shape `(n,)`.
        throughput: Work done a second, shape `(n,)`.

    Returns:
        The law; undefined with fewer than three concurrencies.

    Raises:
        MalformedInput: not positive finite numbers, or other lengths.

    Source:
        Gunther 1993, "A simple capacity model of massively parallel transaction systems".

    Example:
        >>> found = throughput_scaling([1, 2, 4, 8], [100, 190, 340, 540])
        >>> round(found.single), found.contention < 0.1
        (100, True)
    """
    n, x = finite_numbers(sessions, "sessions"), finite_numbers(throughput, "throughput")
    if n.size != x.size or np.any(n <= 0) or np.any(x <= 0):
        raise MalformedInput("need as many positive sessions as positive throughputs")
    if np.unique(n).size < 3:
        return Undefined(reason="fewer than three concurrencies were measured", n=n.size)
    columns = np.column_stack([np.ones(n.size), n - 1, n * (n - 1)]) * (x / n)[:, np.newaxis]
    base, contention, crosstalk = _least_squares_above_zero(columns, np.ones(n.size)).tolist()
    law = ThroughputScaling(
        single=1 / base,
        contention=contention / base,
        crosstalk=crosstalk / base,
        worst_misfit=0.0,
        n=n.size,
    )
    fitted = np.array([law.throughput(float(at)) for at in n])
    return replace(law, worst_misfit=float(np.max(np.abs(fitted / x - 1))))


def _least_squares_above_zero(columns: Floats, wanted: Floats) -> Floats:
    """Return the best coefficients of which none is negative; the first is always used."""
    best, least = np.zeros(3), math.inf
    for used in ([0], [0, 1], [0, 2], [0, 1, 2]):
        found = np.linalg.lstsq(columns[:, used], wanted, rcond=None)[0]
        misfit = float(np.sum((columns[:, used] @ found - wanted) ** 2))
        if np.all(found >= 0) and misfit < least:
            best, least = np.zeros(3), misfit
            best[used] = found
    return best
