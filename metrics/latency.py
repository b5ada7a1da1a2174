"""Quantiles of times."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr

from metrics.inputs import Floats, finite_numbers, fraction
from metrics.results import Interval, Undefined


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
