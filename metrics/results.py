"""What a statistic may return: an interval, an estimate with n and method, or undefined."""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from metrics.errors import ParameterError


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


@runtime_checkable
class Estimate(Protocol):
    """A number with everything a reader needs to trust it."""

    @property
    def estimate(self) -> float: ...

    @property
    def n(self) -> int:
        """Number of units counted."""
        ...

    @property
    def method(self) -> str:
        """Name of the interval's method, in the field's words."""
        ...

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval at `level`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Undefined:
    """A quantity the data cannot give, and why."""

    reason: str
    n: int = 0
    """Number of units there were."""


def known(found: object, name: str) -> Estimate:
    """Return an estimate that was handed in.

    Raises:
        ParameterError: it is none, or undefined.
    """
    if isinstance(found, Undefined):
        raise ParameterError(f"{name}: undefined ({found.reason})")
    if not isinstance(found, Estimate):
        raise ParameterError(f"{name}: need an estimate, got {type(found).__name__}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Significance:
    """What a test of a hypothesis found."""

    p_value: float
    """Chance, were the hypothesis true, of data that speak as much against it."""
    statistic: float
    n: int
    method: str
    """Name of the test, with its alternative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaled:
    """An estimate times a number plus another, interval and all."""

    of: Estimate
    factor: float
    offset: float = 0.0
    unit: str = ""

    @property
    def estimate(self) -> float:
        return self.offset + self.factor * self.of.estimate

    @property
    def n(self) -> int:
        return self.of.n

    @property
    def method(self) -> str:
        return self.of.method

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval."""
        one, other = (self.offset + self.factor * end for end in self.of.confidence_interval(level))
        return Interval(min(one, other), max(one, other))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One estimate less another one from independent data."""

    of: Estimate
    less: Estimate

    @property
    def estimate(self) -> float:
        return self.of.estimate - self.less.estimate

    @property
    def n(self) -> int:
        """Units of the smaller side."""
        return min(self.of.n, self.less.n)

    @property
    def method(self) -> str:
        return f"MOVER of {self.of.method}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval by variance estimates recovery.

        Source:
            Newcombe 1998 (method 10); Zou and Donner 2008.
        """
        one, other = self.of.confidence_interval(level), self.less.confidence_interval(level)
        a, b = self.of.estimate, self.less.estimate
        return Interval(
            a - b - math.hypot(a - one.low, other.high - b),
            a - b + math.hypot(one.high - a, b - other.low),
        )
