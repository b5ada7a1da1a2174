"""Intervals for shares of successes."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from metrics.errors import MalformedInput, ParameterError
from metrics.inputs import finite_numbers, fraction, number, whole
from metrics.results import Interval, Undefined

Method: TypeAlias = Literal["Clopper-Pearson", "Wilson score", "Jeffreys"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A share of n independent trials.

    `Clopper-Pearson` (1934), the default, covers at least at its level for every share and n,
    and each of its ends errs at most half of the rest, so an end may be used by itself.
    `Wilson score` (1927) is shorter and covers on average over shares; at one share it may fall
    short: at 95 % by 16 points at n = 1, and by 11 near 0 and 1 at any n. `Jeffreys` is the
    equal-tailed posterior interval under a Beta(1/2, 1/2) prior: a Bayesian one, which covers
    on average.
    """

    successes: int
    n: int
    method: Method = "Clopper-Pearson"

    @property
    def estimate(self) -> float:
        return self.successes / self.n

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval."""
        tail = (1 - fraction(level)) / 2
        match self.method:
            case "Clopper-Pearson":
                return Interval(
                    _exact_low(self.successes, self.n, tail),
                    _exact_high(self.successes, self.n, tail),
                )
            case "Wilson score":
                return _wilson(self.successes, self.n, tail)
            case "Jeffreys":
                return _jeffreys(self.successes, self.n, tail)

    def lower_bound(self, level: float = 0.95) -> float:
        """Return the exact one-sided bound: the share is above it, at `level`."""
        return _exact_low(self.successes, self.n, 1 - fraction(level))

    def upper_bound(self, level: float = 0.95) -> float:
        """Return the exact one-sided bound: the share is below it, at `level`."""
        return _exact_high(self.successes, self.n, 1 - fraction(level))


def proportion(
    successes: int, n: int, *, method: Method = "Clopper-Pearson"
) -> Proportion | Undefined:
    """Return the share of successes in n independent trials.

    Args:
        successes: 0 to `n`.
        n: Trials.
        method: Which two-sided interval; see `Proportion`.

    Returns:
        The share, unitless, in [0, 1]; undefined for no trial.

    Raises:
        MalformedInput: more successes than trials.
        ParameterError: not whole numbers, negative, or an unknown method.

    Assumptions:
        Trials are independent with one success rate. Episodes of several tasks are not:
        `mean_score` takes tasks as clusters.

    Source:
        Brown, Cai, DasGupta 2001, "Interval Estimation for a Binomial Proportion".

    Example:
        >>> found = proportion(3, 10)
        >>> found.estimate, [round(end, 4) for end in found.confidence_interval(0.95)]
        (0.3, [0.0667, 0.6525])
        >>> round(proportion(0, 8).upper_bound(0.95), 3)
        0.312
    """
    successes, n = whole(successes, "successes"), whole(n, "n")
    if successes > n:
        raise MalformedInput(f"successes: {successes} of {n} trials")
    if method not in ("Clopper-Pearson", "Wilson score", "Jeffreys"):
        raise ParameterError(f"method: none is named {method!r}")
    if n == 0:
        return Undefined(reason="no trial", n=0)
    return Proportion(successes=successes, n=n, method=method)


def success_rate(
    scores: ArrayLike, *, threshold: float, method: Method = "Clopper-Pearson"
) -> Proportion | Undefined:
    """Return the share of scored episodes that reached a score.

    Args:
        scores: One a scored episode, shape `(n,)`; those without a score are left out.
        threshold: Least score of a success.
        method: Which two-sided interval; see `Proportion`.

    Returns:
        The share, unitless, in [0, 1]; undefined where no episode was scored.

    Raises:
        MalformedInput: a score is no finite number.
        ParameterError: the threshold is no number.

    Assumptions:
        As of `proportion`.

    Example:
        >>> success_rate([0.0, 1.0, 1.0, 0.5], threshold=1.0).estimate
        0.5
    """
    found = finite_numbers(scores)
    least = number(threshold, "threshold")
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    return proportion(int(np.count_nonzero(found >= least)), found.size, method=method)


def _exact_low(successes: int, n: int, tail: float) -> float:
    return 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, tail))


def _exact_high(successes: int, n: int, tail: float) -> float:
    return 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 1 - tail))


def _wilson(successes: int, n: int, tail: float) -> Interval:
    z = float(-ndtri(tail))
    share = successes / n
    shrink = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    half = z * math.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2) / shrink
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Interval(max(0.0, low), min(1.0, high))


def _jeffreys(successes: int, n: int, tail: float) -> Interval:
    a, b = successes + 0.5, n - successes + 0.5
    low = 0.0 if successes == 0 else float(betaincinv(a, b, tail))
    high = 1.0 if successes == n else float(betaincinv(a, b, 1 - tail))
    return Interval(low, high)
