"""Orders environments by a lower bound, with intervals of ranks and ties."""

from collections.abc import Mapping
from dataclasses import dataclass

from metrics.inputs import fraction
from metrics.results import Estimate, Interval, Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Where one environment stands among others."""

    name: str
    place: int
    """1 plus the number of environments that are surely better; equal places are a tie."""
    lowest: int
    """Worst rank it may have; `place` is the best one."""
    interval: Interval
    """Its interval, wide enough for all environments to be compared at once."""
    estimate: float


def rank(estimates: Mapping[str, Estimate | Undefined], *, level: float = 0.95) -> list[Ranked]:
    """Return environments in the order of their lower bounds, higher values first.

    Intervals are of level 1 − α / K for K environments, so that with a chance of at least
    `level` every environment's true rank lies between `place` and `lowest`.

    Args:
        estimates: What to rank by, for each environment; undefined ones are left out.
        level: Chance that all ranks are right.

    Returns:
        The environments that have an estimate: by lower bound, then by estimate, then by name.

    Assumptions:
        Each interval covers at its level.

    Source:
        Mogstad, Romano, Shaikh, Wilhelm 2024, "Inference for ranks", section 3; in the simple
        form of intervals instead of differences.

    Example:
        >>> from metrics.proportions import proportion
        >>> shares = {"a": proportion(2, 90), "b": proportion(40, 80), "c": proportion(44, 80)}
        >>> [(one.name, one.place, one.lowest) for one in rank(shares)]
        [('c', 1, 2), ('b', 1, 2), ('a', 3, 3)]
    """
    known = {name: one for name, one in estimates.items() if not isinstance(one, Undefined)}
    if not known:
        return []
    each = 1 - (1 - fraction(level)) / len(known)
    intervals = {name: one.confidence_interval(each) for name, one in known.items()}
    found = [
        Ranked(
            name=name,
            place=1 + sum(other.low > ends.high for other in intervals.values()),
            lowest=len(known) - sum(other.high < ends.low for other in intervals.values()),
            interval=ends,
            estimate=known[name].estimate,
        )
        for name, ends in intervals.items()
    ]
    return sorted(found, key=lambda one: (-one.interval.low, -one.estimate, one.name))
