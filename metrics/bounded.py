"""Intervals for the mean of scores whose range is known."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, ndtri

from metrics.inputs import Floats
from metrics.results import Interval

_FEW = 200
"""Up to this many distinct values the tail is integrated, above it approximated."""
_FIRST, _LAST, _STEP = -8.0, 24.0, 0.0625
_TIMES = np.exp(np.arange(_FIRST, _LAST, _STEP))
_EACH, _TO_ONE = 16, 128
"""Nodes in a factor of e, and below 1."""
_COARSE = np.exp(np.arange(0.0, _LAST))


def gaffke_interval(values: Floats, bounds: tuple[float, float], level: float) -> Interval:
    """Return the two-sided interval for a mean, from independent values of a known range.

    The upper end is the quantile, over weights drawn uniformly from all that sum to one, of the
    weighted mean of the values and one more value at the top of the range; the lower end
    likewise with one more at the bottom. On values that lie at the ends of the range only it
    is the Clopper-Pearson interval. Each end errs at most half of what `level` leaves.

    Args:
        values: Shape `(n,)`, n at least 1, inside `bounds`.
        bounds: Range of a value; an infinite end leaves that end of the interval infinite.
        level: Between 0 and 1.

    Assumptions:
        Values are independent draws of one distribution on `bounds`. That the interval covers
        at its level whatever the distribution is proven for special cases and not known to
        fail; the coverage table of the documentation holds our own trials.

    Source:
        Gaffke 2005, "Three test statistics for a nonparametric one-sided hypothesis on the mean
        of a nonnegative variable"; Learned-Miller and Thomas 2019, arXiv 1905.06208.
    """
    tail = (1 - level) / 2
    low, high = bounds
    mean = float(values.mean())
    return Interval(
        -math.inf if math.isinf(low) else min(mean, -_upper(-values, -low, tail)),
        math.inf if math.isinf(high) else max(mean, _upper(values, high, tail)),
    )


def _upper(values: Floats, top: float, tail: float) -> float:
    """Return what the weighted mean of `values` and `top` exceeds with probability `tail`."""
    points, times = np.unique(np.append(values, top), return_counts=True)
    if points.size == 1:
        return float(top)
    if points.size == 2:
        share = float(betaincinv(times[1], times[0], 1 - tail))
        return float(points[0] + share * (points[1] - points[0]))
    low, span = float(points[0]), float(points[-1] - points[0])
    scaled = (points - low) / span
    exceeds = _integrated if points.size <= _FEW else _saddlepoint
    wanted = float(ndtri(tail))

    def surplus(mean: float) -> float:
        chance = exceeds(scaled - mean, times)
        return float(ndtri(min(max(chance, 1e-12), 1 - 1e-12))) - wanted

    centre = float(np.average(scaled, weights=times))
    return low + span * falling_root(surplus, centre, 1.0)


def _integrated(points: Floats, times: NDArray[np.intp]) -> float:
    """Return P(Σ a E > 0) for independent exponentials E, each point a taken `times` times.

    Gil-Pelaez inversion of the characteristic function on a logarithmic grid, where the
    trapezoid rule converges geometrically.
    """
    a = points / math.sqrt(float(np.sum(times * points**2)))
    fades = 0.5 * (np.log1p(np.outer(_COARSE, a) ** 2) @ times)
    last = min(_TIMES.size, int(np.count_nonzero(fades < 36) + 1) * _EACH + _TO_ONE)
    at = np.outer(_TIMES[:last], a)
    angle = np.arctan(at) @ times
    size = np.exp(-0.5 * (np.log1p(at**2) @ times))
    inner = float(np.sum(np.sin(angle) * size)) * _STEP
    start = float(np.sum(times * a)) * math.exp(_FIRST - _STEP / 2)
    return 0.5 + (inner + start) / math.pi


def _saddlepoint(points: Floats, times: NDArray[np.intp]) -> float:
    """Return the same probability by the formula of Lugannani and Rice (1980)."""
    if points.min() >= 0 or points.max() <= 0:
        return float(points.max() > 0)
    lowest, highest = 1 / float(points.min()), 1 / float(points.max())
    s = _saddle(points, times, lowest, highest)
    if abs(s) < 1e-7 * (highest - lowest):
        skew = float(np.sum(times * points**3) / np.sum(times * points**2) ** 1.5) * 2
        return 0.5 - skew / (6 * math.sqrt(2 * math.pi))
    height = float(np.sum(times * np.log1p(-s * points)))
    bend = float(np.sum(times * (points / (1 - s * points)) ** 2))
    w, u = math.copysign(math.sqrt(2 * height), s), s * math.sqrt(bend)
    return float(ndtr(-w)) + math.exp(-w * w / 2) / math.sqrt(2 * math.pi) * (1 / u - 1 / w)


def _saddle(points: Floats, times: NDArray[np.intp], low: float, high: float) -> float:
    """Return where the slope of the cumulant function is zero: Newton, kept in the bracket."""
    s, width = 0.0, high - low
    for _ in range(100):
        part = points / (1 - s * points)
        slope, bend = float(np.sum(times * part)), float(np.sum(times * part**2))
        low, high = (s, high) if slope < 0 else (low, s)
        step = s - slope / bend
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - s) <= 1e-13 * width:
            return step
        s = step
    return s


def falling_root(of: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function crosses zero: secants kept in the bracket (Illinois)."""
    at_low, at_high = of(low), of(high)
    if at_low <= 0:
        return low
    if at_high >= 0:
        return high
    side = 0
    for _ in range(200):
        middle = high - at_high * (high - low) / (at_high - at_low)
        if not low < middle < high:
            middle = 0.5 * (low + high)
        value = of(middle)
        if value > 0:
            low, at_low = middle, value
            at_high *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            high, at_high = middle, value
            at_low *= 0.5 if side == -1 else 1.0
            side = -1
        if value == 0 or high - low <= 1e-13 * max(abs(low), abs(high)) or abs(value) < 1e-13:
            return middle
    return 0.5 * (low + high)


def chernoff_interval(share: float, groups: int, level: float) -> Interval:
    """Return a two-sided interval for the mean of a statistic of groups that lies in [0, 1].

    For averages over all pairs, or all groups of G, of one sample (U-statistics), which are
    not independent: `groups` counts how many disjoint ones the sample holds. It covers at
    least at its level, with room to spare.

    Source:
        Hoeffding 1963, "Probability inequalities for sums of bounded random variables",
        theorem 1 and section 5a.
    """
    if groups == 0:
        return Interval(0.0, 1.0)
    reach = math.log(2 / (1 - level)) / groups

    def apart(mean: float) -> float:
        inside = min(max(mean, 1e-300), 1 - 1e-16)
        found = 0.0
        if share > 0:
            found += share * math.log(share / inside)
        if share < 1:
            found += (1 - share) * math.log((1 - share) / (1 - inside))
        return found

    low = 0.0 if share == 0 else falling_root(lambda m: apart(m) - reach, 0.0, share)
    high = 1.0 if share == 1 else falling_root(lambda m: reach - apart(m), share, 1.0)
    return Interval(low, high)
