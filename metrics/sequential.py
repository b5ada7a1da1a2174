"""Intervals and tests that stay valid when one stops early."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from metrics.errors import ParameterError
from metrics.inputs import Floats, finite_numbers, fraction, score_bounds, whole, within_bounds
from metrics.results import Interval, Undefined

GRID: Final = 1000
"""Candidate means looked at; the ends are rounded outwards to the next one."""


def level_at_looks(level: float, looks: int) -> float:
    """Return the level of each interval such that those of a few looks all hold at `level`.

    The error is shared out evenly and added up, so that one may stop at any look for any reason,
    whatever the statistic and however the looks depend on one another. Even shares also hold where
    a look adds nothing to some of the data and the interval of an earlier one is taken again.

    Args:
        level: Chance that the intervals of all looks hold.
        looks: Fixed places at which one looks and may stop, at least 1.

    Returns:
        1 − (1 − level) / looks.

    Raises:
        ParameterError: a level outside 0..1, or no look.

    Assumptions:
        What is seen up to each look is fixed beforehand; which one is the last may depend on
        anything.

    Source:
        Pocock 1977, Biometrika 64, 191-199, for even shares; intervals at every look after
        Jennison and Turnbull 1989, J. R. Statist. Soc. B 51, 305-361. Boole's inequality stands
        in place of the joint distribution of the looks, which is not known here.

    Example:
        >>> round(level_at_looks(0.95, 4), 4)
        0.9875
    """
    return 1 - (1 - fraction(level)) / whole(looks, "looks", least=1)


def trials_to_see(rate: float, *, power: float = 0.95) -> int:
    """Return how many independent trials show an event at least once with some chance.

    Args:
        rate: Chance of the event in a trial, between 0 and 1.
        power: Chance to see it.

    Returns:
        The least n with 1 − (1 − rate)^n ≥ power. That many trials without the event bound its
        rate, by the exact one-sided interval at level `power`.

    Raises:
        ParameterError: a rate or power outside 0..1.

    Assumptions:
        Trials are independent and of one rate. Betting against the rate with all one has needs as
        many, so that looking after every trial costs nothing here.

    Example:
        >>> trials_to_see(0.05), trials_to_see(0.1)
        (59, 29)
    """
    rate, power = fraction(rate, "rate"), fraction(power, "power")
    return math.ceil(math.log1p(-power) / math.log1p(-rate) - 1e-9)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceSequence:
    """Intervals for one mean, all of them right at once with a chance of at least `level`.

    So one may look after every score and stop at any time, for any reason.
    """

    level: float
    low: Floats
    """After each score, shape `(n,)`; never falls."""
    high: Floats
    """After each score; never rises."""
    estimate: float
    """Mean of all scores."""
    method: str

    @property
    def n(self) -> int:
        return self.low.size

    def confidence_interval(self, level: float | None = None) -> Interval:
        """Return the last interval.

        Raises:
            ParameterError: another level than that of the sequence, which is built for one.
        """
        if level is not None and level != self.level:
            raise ParameterError(f"level: the sequence was built for {self.level}, not {level}")
        return Interval(float(self.low[-1]), float(self.high[-1]))

    def first_above(self, mean: float) -> int | None:
        """Return after how many scores the mean was surely above a value, None where not yet."""
        return _first(self.low > mean)

    def first_below(self, mean: float) -> int | None:
        """Return after how many scores the mean was surely below a value, None where not yet."""
        return _first(self.high < mean)


def betting_sequence(
    scores: ArrayLike, *, bounds: tuple[float, float], level: float = 0.95, grid: int = GRID
) -> ConfidenceSequence | Undefined:
    """Return a confidence sequence for the mean of bounded scores by betting.

    For each candidate mean a player bets on every next score being above it, another on its
    being below, each with a stake set by the scores before. Where the mean is the candidate
    neither can expect to gain, so a wealth of 1/α speaks against it with error α for ever.

    Args:
        scores: One an episode, in the order they came, shape `(n,)`.
        bounds: Range of a score.
        level: Chance that all intervals hold.
        grid: Candidates; the width of the answer is rounded up to 1/grid of the range.

    Returns:
        The sequence in the score's unit; undefined where there is no score.

    Raises:
        MalformedInput: a score is no finite number or outside the bounds.
        ParameterError: bounds that are not finite.

    Assumptions:
        Each score has the same mean given those before it: independent episodes of one policy
        and population of tasks will do. No distribution is assumed.

    Source:
        Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting",
        J. R. Statist. Soc. B 86, section 4.4 (arXiv 2010.09686).

    Example:
        >>> found = betting_sequence([0.0] * 100, bounds=(0, 1))
        >>> found.first_below(0.1)
        69
    """
    found, low, span = _unit(scores, bounds)
    level, candidates = fraction(level), np.linspace(0.0, 1.0, whole(grid, "grid", least=10) + 1)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    alive = _surviving(found, candidates, level)
    step = 1.0 / (candidates.size - 1)
    first = np.argmax(alive, axis=1)
    last = candidates.size - 1 - np.argmax(alive[:, ::-1], axis=1)
    some = alive.any(axis=1)
    lower = np.where(some, np.maximum(candidates[first] - step, 0.0), np.nan)
    upper = np.where(some, np.minimum(candidates[last] + step, 1.0), np.nan)
    return _sequence(found, lower, upper, low, span, level, "betting confidence sequence")


def _surviving(scores: Floats, candidates: Floats, level: float) -> np.ndarray:
    """Return which candidates are not yet rejected after each score, shape `(n, candidates)`."""
    wanted = math.log(2 / (1 - level))
    stakes = _stakes(scores, 1 - level)
    up, down = np.zeros(candidates.size), np.zeros(candidates.size)
    highest_up, highest_down = up.copy(), down.copy()
    alive = np.empty((scores.size, candidates.size), dtype=bool)
    most_up = 0.5 / np.maximum(candidates, 1e-12)
    most_down = 0.5 / np.maximum(1 - candidates, 1e-12)
    for at, (score, stake) in enumerate(zip(scores, stakes, strict=True)):
        up += np.log1p(np.minimum(stake, most_up) * (score - candidates))
        down += np.log1p(-np.minimum(stake, most_down) * (score - candidates))
        np.maximum(highest_up, up, out=highest_up)
        np.maximum(highest_down, down, out=highest_down)
        alive[at] = (highest_up < wanted) & (highest_down < wanted)
    return alive


def empirical_bernstein_sequence(
    scores: ArrayLike, *, bounds: tuple[float, float], level: float = 0.95
) -> ConfidenceSequence | Undefined:
    """Return a confidence sequence for the mean of bounded scores in closed form.

    Faster than `betting_sequence` (one pass, whatever the range) and wider.

    Args:
        scores: One an episode, in the order they came, shape `(n,)`.
        bounds: Range of a score.
        level: Chance that all intervals hold.

    Returns:
        The sequence in the score's unit; undefined where there is no score.

    Raises:
        MalformedInput: a score is no finite number or outside the bounds.
        ParameterError: bounds that are not finite.

    Assumptions:
        As of `betting_sequence`.

    Source:
        Waudby-Smith and Ramdas 2024, theorem 2 (arXiv 2010.09686); after Howard et al. 2021,
        arXiv 1810.08240.

    Example:
        >>> found = empirical_bernstein_sequence([0.0, 1.0] * 200, bounds=(0, 1))
        >>> [round(end, 2) for end in found.confidence_interval()]
        [0.41, 0.59]
    """
    found, low, span = _unit(scores, bounds)
    level = fraction(level)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    stakes = np.minimum(_stakes(found, 1 - level), 0.5)
    before = _means_before(found)
    cost = -np.log1p(-stakes) - stakes
    total = np.cumsum(stakes)
    centre = np.cumsum(stakes * found) / total
    half = (math.log(2 / (1 - level)) + np.cumsum((found - before) ** 2 * cost)) / total
    lower = np.maximum.accumulate(np.clip(centre - half, 0.0, 1.0))
    upper = np.minimum.accumulate(np.clip(centre + half, 0.0, 1.0))
    name = "empirical-Bernstein confidence sequence"
    return _sequence(found, lower, upper, low, span, level, name)


def _unit(scores: ArrayLike, bounds: tuple[float, float]) -> tuple[Floats, float, float]:
    found, (low, high) = finite_numbers(scores), score_bounds(bounds)
    if not math.isfinite(high - low):
        raise ParameterError("bounds: need finite ends")
    within_bounds(found, (low, high))
    return (found - low) / (high - low), low, high - low


def _means_before(scores: Floats) -> Floats:
    """Return the mean of the scores before each one, with one more at 1/2."""
    earlier = np.concatenate([[0.0], np.cumsum(scores)[:-1]])
    return np.asarray((0.5 + earlier) / np.arange(1, scores.size + 1))


def _stakes(scores: Floats, alpha: float) -> Floats:
    """Return the stake of each bet, from the spread of the scores before it."""
    number = np.arange(1, scores.size + 1)
    means = (0.5 + np.cumsum(scores)) / (number + 1)
    spread = (0.25 + np.cumsum((scores - means) ** 2)) / (number + 1)
    before = np.concatenate([[0.25], spread[:-1]])
    return np.sqrt(2 * math.log(2 / alpha) / (before * number * np.log1p(number)))


def _sequence(
    scores: Floats, lower: Floats, upper: Floats, low: float, span: float, level: float, name: str
) -> ConfidenceSequence:
    """Return the sequence in the score's unit.

    Where no mean is left, which has a chance of at most 1 − level, the last one stays.
    """
    crossed = np.isnan(lower) | (lower > upper)
    if crossed.any():
        at = int(crossed.argmax())
        lower[at:] = lower[at - 1] if at else 0.0
        upper[at:] = upper[at - 1] if at else 1.0
    return ConfidenceSequence(
        level=level,
        low=low + span * lower,
        high=low + span * upper,
        estimate=low + span * float(scores.mean()),
        method=name,
    )


def _first(where: np.ndarray) -> int | None:
    return int(where.argmax()) + 1 if where.any() else None
