"""What a statistic may return: an interval, an estimate with n and method, or undefined."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Significance:
    """What a test of a hypothesis found."""

    p_value: float
    """Chance, were the hypothesis true, of data that speak as much against it."""
    statistic: float
    n: int
    method: str
    """Name of the test, with its alternative."""
