"""Orders environments by a lower bound, with intervals of ranks and ties; chooses the best few."""

from collections.abc import Mapping
from dataclasses import dataclass

from metrics.errors import ParameterError
from metrics.inputs import fraction, number, whole
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The best few of several environments, and what keeps that from being sure."""

    chosen: tuple[str, ...]
    """As many as were asked for, the best first."""
    undecided: frozenset[str]
    """Those whose intervals leave open whether they belong to the chosen; empty where it is sure
    that no other is better than one of the chosen by more than the tolerance."""
    intervals: Mapping[str, Interval]
    """Wide enough for all environments at once."""


def select_best(
    estimates: Mapping[str, Estimate],
    count: int,
    *,
    tolerance: float = 0.0,
    level: float = 0.95,
) -> Selection:
    """Return the best few of several environments, and of which more must be known to be sure.

    Chosen are those of the highest lower bounds, so that few episodes do not win by luck. Another
    one is undecided where it may be better by more than the tolerance than the worst that one of
    the chosen may be, and so is each of the chosen that it may be better than. Whoever then plays
    more of the undecided alone, and asks again, races: what is decided costs nothing further.

    Args:
        estimates: What to choose by, for each environment.
        count: How many, at least 1.
        tolerance: Difference that does not matter, at least 0.
        level: Chance that all intervals hold. Where one asks at several fixed places, that of
            `level_at_looks`: then those of all places hold at once, and so does the answer of
            whichever place is the last.

    Returns:
        All of them, decided, where there are no more than `count`. Equal lower bounds are chosen by
        the estimate, then by name.

    Raises:
        ParameterError: a count below 1, a negative tolerance, or a level outside 0..1.

    Assumptions:
        Each interval covers at its level.

    Source:
        The stopping rule of LUCB, Kalyanakrishnan, Tewari, Auer and Stone 2012, "PAC subset
        selection in stochastic multi-armed bandits", ICML, which holds for whatever set is chosen;
        here by lower bounds instead of means. It is asked in rounds, and all undecided ones play on
        instead of the two most critical, as in the racing of Kaufmann and Kalyanakrishnan 2013,
        "Information complexity in bandit subset selection", COLT. Intervals are of any kind, each
        with an even share of the error.

    Example:
        >>> from metrics.proportions import proportion
        >>> shares = {"a": proportion(2, 90), "b": proportion(40, 80), "c": proportion(74, 80)}
        >>> select_best(shares, 1).chosen, sorted(select_best(shares, 1).undecided)
        (('c',), [])
        >>> more = shares | {"d": proportion(72, 80)}
        >>> select_best(more, 1).chosen, sorted(select_best(more, 1).undecided)
        (('c',), ['c', 'd'])
    """
    count, slack = whole(count, "count", least=1), number(tolerance, "tolerance")
    if slack < 0:
        raise ParameterError(f"tolerance: need at least 0, got {tolerance!r}")
    each = 1 - (1 - fraction(level)) / max(1, len(estimates))
    intervals = {name: one.confidence_interval(each) for name, one in estimates.items()}
    order = sorted(
        estimates, key=lambda name: (-intervals[name].low, -estimates[name].estimate, name)
    )
    chosen, others = order[:count], order[count:]
    if not others:
        return Selection(chosen=tuple(chosen), undecided=frozenset(), intervals=intervals)
    least = min(intervals[name].low for name in chosen)
    most = max(intervals[name].high for name in others)
    return Selection(
        chosen=tuple(chosen),
        undecided=frozenset(
            [
                *(name for name in chosen if most > intervals[name].low + slack),
                *(name for name in others if intervals[name].high > least + slack),
            ]
        ),
        intervals=intervals,
    )
