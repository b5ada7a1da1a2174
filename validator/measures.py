"""From what a statistic returns to what a report holds."""

import math

from metrics.bootstrap import MeanScore
from metrics.results import Estimate, Undefined
from metrics.sequential import level_at_looks
from reports.model import Measure
from validator.rollouts.looks import ONLY, Look

LEVEL = 0.95


def measure(
    found: Estimate | Undefined | float, *, of: str = "episodes", unit: str = "", look: Look = ONLY
) -> Measure:
    """Return the report's form of an estimate, of the reason for none, or of a plain count.

    Its interval is that of a look, such that those of all looks of the run hold at once.
    """
    if isinstance(found, Undefined):
        return Measure(estimate=None, n=found.n, of=of, unit=unit, undefined=found.reason)
    if isinstance(found, int | float):
        return Measure(estimate=found, of=of, unit=unit, method="counted")
    low, high = found.confidence_interval(level_at_looks(LEVEL, look.of))
    return Measure(
        estimate=_plain(found.estimate),
        low=_plain(low),
        high=_plain(high),
        level=LEVEL,
        n=found.n,
        of=of,
        method=found.method + (f"; one of {look.of} looks" if look.of > 1 else ""),
        unit=unit,
    )


def mean_measure(found: MeanScore | Undefined, *, look: Look = ONLY) -> Measure:
    """Return the report's form of a mean, which knows itself over what it is taken."""
    by_start = isinstance(found, MeanScore) and found.unit == "clusters"
    return measure(found, of="starts" if by_start else "episodes", look=look)


def _plain(number: float) -> float | None:
    """Return a number that JSON can hold: an unbounded end of an interval is left open."""
    return float(number) if math.isfinite(number) else None
