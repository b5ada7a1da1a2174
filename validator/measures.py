"""From what a statistic returns to what a report holds."""

import math

from metrics.bootstrap import MeanScore
from metrics.results import Estimate, Undefined
from reports.model import Measure

LEVEL = 0.95


def measure(
    found: Estimate | Undefined | float, *, of: str = "episodes", unit: str = ""
) -> Measure:
    """Return the report's form of an estimate, of the reason for none, or of a plain count."""
    if isinstance(found, Undefined):
        return Measure(estimate=None, n=found.n, of=of, unit=unit, undefined=found.reason)
    if isinstance(found, int | float):
        return Measure(estimate=found, of=of, unit=unit, method="counted")
    low, high = found.confidence_interval(LEVEL)
    return Measure(
        estimate=_plain(found.estimate),
        low=_plain(low),
        high=_plain(high),
        level=LEVEL,
        n=found.n,
        of=of,
        method=found.method,
        unit=unit,
    )


def mean_measure(found: MeanScore | Undefined) -> Measure:
    """Return the report's form of a mean, which knows itself over what it is taken."""
    by_start = isinstance(found, MeanScore) and found.unit == "clusters"
    return measure(found, of="starts" if by_start else "episodes")


def _plain(number: float) -> float | None:
    """Return a number that JSON can hold: an unbounded end of an interval is left open."""
    return float(number) if math.isfinite(number) else None
