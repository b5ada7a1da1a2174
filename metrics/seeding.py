"""Whether the seed of an episode's start governs the episode."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from metrics.bounded import chernoff_interval
from metrics.errors import MalformedInput
from metrics.inputs import fraction, whole
from metrics.results import Interval, Undefined

SeedVerdict: TypeAlias = Literal["honoured", "inert", "ignored", "partly"]

CHANCE = 1.2816
"""Standard errors by which repeats must agree more than chance for a seed to count as heard:
one-sided 10 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Share of pairs of episodes that are equal."""

    agreeing: int
    n: int
    """Pairs."""
    disjoint: int
    """Pairs that share no episode (and, between starts, no start): what is independent."""

    @property
    def estimate(self) -> float:
        return self.agreeing / self.n

    @property
    def method(self) -> str:
        return "Chernoff, over disjoint pairs"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        return chernoff_interval(self.estimate, self.disjoint, fraction(level))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedControl:
    """What repeated episodes of several starts say of seeding."""

    verdict: SeedVerdict
    """`honoured`: repeats of a start agree, starts differ. `inert`: all episodes are equal.
    `ignored`: repeats of one start agree no more than chance. `partly`: some starts repeat,
    `offending` do not."""
    within: PairAgreement
    """Pairs of repeats of one start."""
    between: PairAgreement
    """Pairs of episodes of two starts."""
    offending: tuple[str, ...]
    """Starts whose repeats differ."""


def seed_control(labels: Mapping[str, Sequence[int]]) -> SeedControl | Undefined:
    """Return whether repeats of a start agree, and more than episodes of different starts do.

    Args:
        labels: For each start a number for each of its repeated episodes; equal numbers mean
            equal episodes, across starts too.

    Returns:
        The verdict with both shares; undefined where there are fewer than two starts, or no
        start has two episodes.

    Raises:
        MalformedInput: a label is no whole number.

    Assumptions:
        Episodes of all starts were played with one script. `ignored` is told from `partly` by
        comparing the agreeing pairs of repeats with their number were episodes dealt to
        starts at random (Mantel 1967): below 1.28 standard errors above it, nothing shows
        that any seed was heard.

    Example:
        >>> found = seed_control({"seed 0": [1, 2], "seed 1": [3, 3], "seed 7": [4, 4]})
        >>> found.verdict, found.offending
        ('partly', ('seed 0',))
    """
    starts: dict[str, list[int]] = {}
    for start, found in labels.items():
        if not isinstance(found, Iterable) or isinstance(found, str | bytes):
            raise MalformedInput(f"labels of {start}: need one whole number an episode")
        numbers = [_label(label, start) for label in found]
        if numbers:
            starts[start] = numbers
    total = sum(map(len, starts.values()))
    if len(starts) < 2:
        return Undefined(reason=f"{len(starts)} starts were played, two are needed", n=total)
    if all(len(found) < 2 for found in starts.values()):
        return Undefined(reason="no start was played twice", n=total)
    within, between = _pairs(starts)
    offending = tuple(start for start, found in starts.items() if len(set(found)) > 1)
    return SeedControl(
        verdict=_verdict(starts, within, between, offending),
        within=within,
        between=between,
        offending=offending,
    )


def _verdict(
    starts: Mapping[str, list[int]],
    within: PairAgreement,
    between: PairAgreement,
    offending: Sequence[str],
) -> SeedVerdict:
    if not offending:
        return "inert" if between.agreeing == between.n else "honoured"
    expected, error = _by_chance(starts)
    surplus = within.agreeing - expected
    return "partly" if surplus > 0 and surplus >= CHANCE * error else "ignored"


def _label(label: object, start: str) -> int:
    try:
        return whole(label, "label", least=-(2**63))
    except ValueError:
        raise MalformedInput(f"labels of {start}: need whole numbers, got {label!r}") from None


def _pairs(starts: Mapping[str, list[int]]) -> tuple[PairAgreement, PairAgreement]:
    sizes = [len(found) for found in starts.values()]
    inside = sum(map(_pairs_of, sizes))
    equal_inside = sum(_pairs_of(times) for found in starts.values() for times in _times(found))
    everything = [label for found in starts.values() for label in found]
    equal = sum(map(_pairs_of, _times(everything)))
    return (
        PairAgreement(agreeing=equal_inside, n=inside, disjoint=sum(size // 2 for size in sizes)),
        PairAgreement(
            agreeing=equal - equal_inside,
            n=_pairs_of(len(everything)) - inside,
            disjoint=len(sizes) // 2,
        ),
    )


def _by_chance(starts: Mapping[str, list[int]]) -> tuple[float, float]:
    """Return mean and standard deviation of agreeing repeats, episodes dealt out at random."""
    sizes = [len(found) for found in starts.values()]
    times = list(_times([label for found in starts.values() for label in found]))
    n = sum(sizes)
    pairs, equal = sum(map(_pairs_of, sizes)), sum(map(_pairs_of, times))
    mean = pairs * equal / _pairs_of(n)
    square = mean
    if n > 2:
        hinged, equal_hinged = sum(map(_hinged, sizes)), sum(map(_hinged, times))
        square += hinged * equal_hinged / (n * (n - 1) * (n - 2))
        if n > 3:
            apart = pairs * (pairs - 1) - hinged
            equal_apart = equal * (equal - 1) - equal_hinged
            square += apart * equal_apart / (_pairs_of(n) * _pairs_of(n - 2))
    return mean, math.sqrt(max(0.0, square - mean * mean))


def _times(labels: Sequence[int]) -> list[int]:
    return list(Counter(labels).values())


def _pairs_of(size: int) -> int:
    return size * (size - 1) // 2


def _hinged(size: int) -> int:
    """Return the ordered pairs of different pairs that share one member."""
    return size * (size - 1) * (size - 2)
