"""Quantiles of times, throughput against concurrency, change over episodes."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, ndtri, stdtrit

from metrics.errors import MalformedInput
from metrics.inputs import Floats, finite_numbers, fraction
from metrics.results import Interval, Undefined

FEWEST: Final = 8
"""Episodes below which a trend has no estimate."""
MOST_PAIRED: Final = 1000
"""Episodes up to which a trend compares all pairs."""
MOST_ERROR: Final = 0.15
"""Relative error of throughputs above which a scalability law has no interval."""


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
class Coefficient:
    """A coefficient of the scalability law, never below zero."""

    estimate: float
    fit: "LinearFit"
    which: int
    """0 for the throughput of one session, 1 for contention, 2 for crosstalk."""

    @property
    def n(self) -> int:
        """Number of measured throughputs."""
        return self.fit.n

    @property
    def method(self) -> str:
        return self.fit.refusal or ("Student t, inverted" if self.which == 0 else "Fieller")

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval, everything from zero up where the data give none."""
        level = fraction(level)
        if self.fit.refusal:
            return Interval(0.0, math.inf)
        low, high = (
            self.fit.inverse(level) if self.which == 0 else self.fit.ratio(self.which, level)
        )
        return Interval(min(max(0.0, low), self.estimate), max(high, self.estimate))


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearFit:
    """Coefficients of the law in its linear form, 1/λ, σ/λ and κ/λ, of any sign."""

    values: Floats
    inverted: Floats
    """Inverse of the normal matrix, shape `(3, 3)`."""
    variance: float
    """Of the relative errors, from what the fit leaves; 0 where it leaves nothing to judge by."""
    n: int

    @property
    def refusal(self) -> str:
        """Why there is no interval, empty where there is."""
        if self.n < 4:
            return f"none: {self.n} measured throughputs, 4 are needed for an interval"
        if self.variance > MOST_ERROR**2:
            return f"none: throughputs lie {math.sqrt(self.variance):.0%} off the law"
        return ""

    def inverse(self, level: float) -> Interval:
        """Return the interval of one over the first coefficient."""
        half = self._t(level) * math.sqrt(self.variance * float(self.inverted[0, 0]))
        low, high = float(self.values[0]) - half, float(self.values[0]) + half
        return Interval(1 / high if high > 0 else 0.0, 1 / low if low > 0 else math.inf)

    def ratio(self, which: int, level: float) -> Interval:
        """Return the interval of a coefficient over the first one (Fieller 1954)."""
        square = self._t(level) ** 2 * self.variance
        base, part = float(self.values[0]), float(self.values[which])
        bend = base**2 - square * float(self.inverted[0, 0])
        if bend <= 0:
            return Interval(0.0, math.inf)
        middle = base * part - square * float(self.inverted[0, which])
        end = part**2 - square * float(self.inverted[which, which])
        reach = math.sqrt(max(0.0, middle**2 - bend * end))
        return Interval((middle - reach) / bend, (middle + reach) / bend)

    def _t(self, level: float) -> float:
        return float(stdtrit(self.n - 3, 0.5 + level / 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class ThroughputScaling:
    """Universal scalability law fitted to throughput at several concurrencies."""

    single: Coefficient
    """Throughput of one session."""
    contention: Coefficient
    """Share of the work that is done one at a time."""
    crosstalk: Coefficient
    """Cost of each pair of sessions, as a share of the work of one."""
    worst_misfit: float
    """Largest relative distance between a measured and the fitted throughput."""
    n: int
    """Measured throughputs."""

    @property
    def peak(self) -> float:
        """Number of sessions with the highest throughput, infinite where more never harm."""
        if self.crosstalk.estimate == 0:
            return math.inf
        return math.sqrt(max(0.0, 1 - self.contention.estimate) / self.crosstalk.estimate)

    def throughput(self, sessions: float) -> float:
        """Return the fitted throughput at a number of sessions."""
        return _law(
            self.single.estimate, self.contention.estimate, self.crosstalk.estimate, sessions
        )


def throughput_scaling(sessions: ArrayLike, throughput: ArrayLike) -> ThroughputScaling | Undefined:
    """Return how throughput grows with concurrency.

    X(N) = λ N / (1 + σ (N − 1) + κ N (N − 1)), by least squares on N / X weighted by X / N, no
    coefficient below zero.

    Args:
        sessions: Concurrent sessions N, shape `(n,)`; one N may come several times.
        throughput: Work done a second, shape `(n,)`.

    Returns:
        The law, each coefficient with its interval; undefined with fewer than three
        concurrencies, and without intervals from fewer than four measured throughputs or
        where they lie more than 15 % off the law.

    Raises:
        MalformedInput: not positive finite numbers, or other lengths.

    Assumptions:
        The law holds. Measured throughputs err independently by one relative standard
        deviation, up to 10 %, and nearly normally; at 5 % or more each N was measured twice.

    Source:
        Gunther 1993, "A simple capacity model of massively parallel transaction systems";
        Fieller 1954 for ratios of coefficients.

    Example:
        >>> found = throughput_scaling([1, 2, 4, 8, 16], [101, 188, 347, 575, 854])
        >>> round(found.single.estimate), round(found.contention.estimate, 2)
        (100, 0.05)
        >>> [round(end, 2) for end in found.contention.confidence_interval()]
        [0.03, 0.08]
    """
    n, x = finite_numbers(sessions, "sessions"), finite_numbers(throughput, "throughput")
    if n.size != x.size or np.any(n <= 0) or np.any(x <= 0):
        raise MalformedInput("need as many positive sessions as positive throughputs")
    if np.unique(n).size < 3:
        return Undefined(reason="fewer than three concurrencies were measured", n=n.size)
    unit = float(x.max())
    columns = np.column_stack([np.ones(n.size), n - 1, n * (n - 1)])
    columns *= (x / unit / n)[:, np.newaxis]
    base, *others = _least_squares_above_zero(columns, np.ones(n.size)).tolist()
    if not base > 0:
        return Undefined(reason="throughput at one session cannot be told", n=n.size)
    fit = _linear_fit(columns, unit)
    single, contention, crosstalk = (
        Coefficient(estimate=value, fit=fit, which=at)
        for at, value in enumerate([unit / base, *(other / base for other in others)])
    )
    law = single.estimate, contention.estimate, crosstalk.estimate
    fitted = np.array([_law(*law, float(at)) for at in n])
    return ThroughputScaling(
        single=single,
        contention=contention,
        crosstalk=crosstalk,
        worst_misfit=float(np.max(np.abs(fitted / x - 1))),
        n=n.size,
    )


def _law(single: float, contention: float, crosstalk: float, sessions: float) -> float:
    slowed = 1 + contention * (sessions - 1) + crosstalk * sessions * (sessions - 1)
    return single * sessions / slowed


def _linear_fit(columns: Floats, unit: float) -> LinearFit:
    """Return the fit without bounds; `unit` is what throughputs were divided by."""
    inverted = np.asarray(np.linalg.pinv(columns.T @ columns), dtype=np.float64)
    values = inverted @ columns.sum(axis=0)
    left = columns.shape[0] - 3
    rest = float(np.sum((columns @ values - 1) ** 2))
    return LinearFit(
        values=values / unit,
        inverted=inverted / unit**2,
        variance=rest / left if left else 0.0,
        n=columns.shape[0],
    )


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
