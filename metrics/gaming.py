"""What attacking probes earn against the floor and against truth."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.bounded import chernoff_interval
from metrics.comparison import superiority_of
from metrics.errors import MalformedInput, ParameterError
from metrics.inputs import finite_numbers, fraction, whole
from metrics.results import Difference, Interval, Undefined
from metrics.solvability import Floor, floor


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversarialGap(Difference):
    """How much more the best attacker earns than the best task-blind probe."""

    of: Floor
    less: Floor

    @property
    def method(self) -> str:
        return f"MOVER of {self.of.method}"

    def surely_above(self, margin: float = 0.0, level: float = 0.95) -> bool:
        """Return whether the attackers beat the floor by more than a margin, at `level`."""
        return self.confidence_interval(2 * fraction(level) - 1).low > margin

    def surely_below(self, margin: float = 0.0, level: float = 0.95) -> bool:
        """Return whether they do not, at `level`."""
        return self.confidence_interval(2 * fraction(level) - 1).high < margin


def adversarial_floor(
    attackers: Mapping[str, ArrayLike],
    blind: Mapping[str, ArrayLike],
    *,
    bounds: tuple[float, float] | None = None,
) -> AdversarialGap | Undefined:
    """Return the best attacker's mean score less the floor.

    Args:
        attackers: Scores of each attacking probe, shape `(n,)` each.
        blind: Scores of each task-blind probe.
        bounds: Range of a score.

    Returns:
        The gap in the score's unit, with the choice of the best on both sides paid for;
        undefined where one side has no score.

    Raises:
        MalformedInput: a score is no finite number or outside the bounds.

    Assumptions:
        As of `floor`.

    Example:
        >>> found = adversarial_floor({"echo": [1] * 9}, {"noop": [0] * 9}, bounds=(0, 1))
        >>> found.estimate, found.surely_above(0.1)
        (1.0, True)
    """
    best, ground = floor(attackers, bounds=bounds), floor(blind, bounds=bounds)
    if isinstance(best, Undefined):
        return Undefined(reason="no episode of an attacker was scored", n=0)
    if isinstance(ground, Undefined):
        return ground
    return AdversarialGap(of=best, less=ground)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankAgreement:
    """A rank statistic of pairs: a share that agrees, moved to its scale."""

    estimate: float
    n: int
    """Episodes."""
    least: float
    """Value where no pair agrees; the largest is 1."""
    disjoint: int
    """Pairs that share no episode."""

    @property
    def method(self) -> str:
        return "Chernoff, over disjoint pairs"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval; it covers with room to spare."""
        width = 1 - self.least
        share = min(1.0, max(0.0, (self.estimate - self.least) / width))
        low, high = chernoff_interval(share, self.disjoint, fraction(level))
        return Interval(self.least + width * low, self.least + width * high)


def score_auc(scores: ArrayLike, succeeded: ArrayLike) -> RankAgreement | Undefined:
    """Return the chance that a true success scores higher than a true failure, ties half.

    1: the score tells them apart; 0.5: it says nothing; below: failures are paid better.

    Args:
        scores: One a scored episode, shape `(n,)`.
        succeeded: Whether it truly succeeded, shape `(n,)`.

    Returns:
        The area under the ROC curve, unitless, in [0, 1]; undefined without a success or
        without a failure.

    Raises:
        MalformedInput: a score is no finite number, or other than a truth value each.

    Assumptions:
        Episodes are independent.

    Source:
        Hanley and McNeil 1982; Hoeffding 1963, section 5b, for the interval.

    Example:
        >>> score_auc([0.1, 0.4, 0.35, 0.8], [False, False, True, True]).estimate
        0.75
    """
    found, truth = _with_truth(scores, succeeded)
    good, bad = found[truth], found[~truth]
    if not (good.size and bad.size):
        return Undefined(reason=f"{good.size} successes and {bad.size} failures", n=found.size)
    return RankAgreement(
        estimate=superiority_of(good, bad),
        n=found.size,
        least=0.0,
        disjoint=min(good.size, bad.size),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TieCorrected:
    """Kendall's tau-b: tau-a over the geometric mean of the shares of pairs that do not tie."""

    agreement: RankAgreement
    """tau-a."""
    untied: tuple[RankAgreement, RankAgreement]
    """Share of pairs whose scores differ, and of those whose truths do."""

    @property
    def estimate(self) -> float:
        one, other = self.untied
        found = self.agreement.estimate / math.sqrt(one.estimate * other.estimate)
        return min(1.0, max(-1.0, found))

    @property
    def n(self) -> int:
        """Episodes."""
        return self.agreement.n

    @property
    def method(self) -> str:
        return f"box of three intervals (Bonferroni): {self.agreement.method}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval; it covers with much room to spare."""
        each = 1 - (1 - fraction(level)) / 3
        low, high = self.agreement.confidence_interval(each)
        one, other = (share.confidence_interval(each) for share in self.untied)
        least, most = math.sqrt(one.low * other.low), math.sqrt(one.high * other.high)
        return Interval(
            max(-1.0, _over(low, most if low > 0 else least)),
            min(1.0, _over(high, least if high > 0 else most)),
        )


def _over(numerator: float, denominator: float) -> float:
    if denominator > 0:
        return numerator / denominator
    return math.copysign(math.inf, numerator) if numerator else 0.0


def rank_correlation(
    scores: ArrayLike, truth: ArrayLike, *, variant: Literal["a", "b"] = "a"
) -> RankAgreement | TieCorrected | Undefined:
    """Return Kendall's rank correlation of score and truth.

    Args:
        scores: One a scored episode, shape `(n,)`.
        truth: True success, graded or 0 and 1, shape `(n,)`.
        variant: `a`: over all pairs, ties counted as neither, so that truth of two values keeps
            it from 1; `b`: corrected for ties on both sides, 1 where all that can agree does.

    Returns:
        The correlation, unitless, in [-1, 1]; undefined with fewer than two episodes, or
        where either is constant.

    Raises:
        MalformedInput: a value is no finite number, or other lengths.
        ParameterError: an unknown variant.

    Assumptions:
        Episodes are independent.

    Source:
        Kendall 1938, 1945; Hoeffding 1963, section 5a, for the interval.

    Example:
        >>> rank_correlation([1, 2, 3, 4], [1, 3, 2, 4]).estimate
        0.6666666666666666
        >>> round(rank_correlation([0, 0, 1, 1], [0, 0, 1, 1], variant="b").estimate, 9)
        1.0
    """
    if variant not in ("a", "b"):
        raise ParameterError(f"variant: none is named {variant!r}")
    found, other = finite_numbers(scores), finite_numbers(truth, "truth")
    if found.size != other.size:
        raise MalformedInput(f"{found.size} scores, {other.size} truths")
    n = found.size
    if n < 2 or found.min() == found.max() or other.min() == other.max():
        return Undefined(reason="score or truth does not vary", n=n)
    pairs = n * (n - 1) / 2
    agreement = RankAgreement(
        estimate=_concordance(found, other) / pairs, n=n, least=-1.0, disjoint=n // 2
    )
    if variant == "a":
        return agreement
    one, two = (
        RankAgreement(estimate=1 - _tied(side) / pairs, n=n, least=0.0, disjoint=n // 2)
        for side in (found, other)
    )
    return TieCorrected(agreement=agreement, untied=(one, two))


def _tied(values: np.ndarray) -> float:
    """Return the number of pairs of equal values."""
    times = np.unique(values, return_counts=True)[1]
    return float(np.sum(times * (times - 1) / 2))


def top_scored_failures(scores: ArrayLike, succeeded: ArrayLike, *, most: int = 10) -> list[int]:
    """Return the places of the best-paid episodes that truly failed, best first.

    Raises:
        MalformedInput: a score is no finite number, or other than a truth value each.

    Example:
        >>> top_scored_failures([0.2, 0.9, 1.0], [False, False, True], most=1)
        [1]
    """
    found, truth = _with_truth(scores, succeeded)
    failures = np.flatnonzero(~truth)
    order = np.argsort(-found[failures], kind="stable")
    return [int(at) for at in failures[order][: whole(most, "most")]]


def _with_truth(scores: ArrayLike, succeeded: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    found, truth = finite_numbers(scores), np.asarray(succeeded)
    if truth.shape != found.shape or (truth.size and truth.dtype.kind != "b"):
        raise MalformedInput("succeeded: need one truth value a score")
    return found, truth.astype(bool)


def _concordance(x: np.ndarray, y: np.ndarray) -> float:
    """Return concordant less discordant pairs, counted in blocks."""
    total = 0.0
    for begin in range(0, x.size, 512):
        here = slice(begin, begin + 512)
        after = np.arange(x.size)[np.newaxis, :] > np.arange(x.size)[here, np.newaxis]
        signs = np.sign(x[np.newaxis, :] - x[here, np.newaxis])
        signs *= np.sign(y[np.newaxis, :] - y[here, np.newaxis])
        total += float(signs[after].sum())
    return total
