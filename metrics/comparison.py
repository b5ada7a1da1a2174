"""Tests and intervals for the difference of two samples, paired or not."""

import math
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, gammaln, ndtr

from metrics.bootstrap import MeanScore
from metrics.errors import MalformedInput, ParameterError
from metrics.inputs import Floats, as_known, finite_numbers, score_bounds, whole, within_bounds
from metrics.proportions import proportion
from metrics.results import Difference, Significance, Undefined

Alternative: TypeAlias = Literal["greater", "two-sided"]
EXACT: Final = 30
"""Values of both samples up to which rank sums are counted exactly."""
ENUMERATED: Final = 14
"""Pairs up to which all changes of sign are tried."""


def proportion_difference(
    successes: int, n: int, other_successes: int, other_n: int
) -> Difference | Undefined:
    """Return a share less another one of independent trials.

    Its interval recovers the variances from the two Clopper-Pearson intervals, which covers
    where the usual one from Wilson's falls short near the ends.

    Raises:
        MalformedInput: more successes than trials.
        ParameterError: not whole numbers, or negative.

    Source:
        Newcombe 1998, "Interval estimation for the difference between independent proportions".

    Example:
        >>> found = proportion_difference(9, 10, 3, 10)
        >>> round(found.estimate, 2), [round(end, 2) for end in found.confidence_interval()]
        (0.6, [0.11, 0.85])
    """
    one, other = proportion(successes, n), proportion(other_successes, other_n)
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        return Undefined(reason="no trial on one side", n=0)
    return Difference(of=one, less=other)


def fisher_exact(
    successes: int, n: int, other_successes: int, other_n: int
) -> Significance | Undefined:
    """Return whether the first share is greater, by the one-sided exact test.

    Raises:
        MalformedInput: more successes than trials.
        ParameterError: not whole numbers, or negative.

    Source:
        Fisher 1935, "The Design of Experiments", section 21.

    Example:
        >>> round(fisher_exact(9, 10, 3, 10).p_value, 4)
        0.0099
    """
    one, other = proportion(successes, n), proportion(other_successes, other_n)
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        return Undefined(reason="no trial on one side", n=0)
    together = successes + other_successes
    counts = np.arange(successes, min(n, together) + 1)
    chances = np.exp(
        _log_choose(n, counts)
        + _log_choose(other_n, together - counts)
        - _log_choose(n + other_n, np.array(together))
    )
    return Significance(
        p_value=float(min(1.0, chances.sum())),
        statistic=one.estimate - other.estimate,
        n=n + other_n,
        method="Fisher exact, greater",
    )


def _log_choose(n: int, k: ArrayLike) -> Floats:
    k = np.asarray(k, dtype=np.float64)
    inside = (k >= 0) & (k <= n)
    safe = np.where(inside, k, 0.0)
    value = gammaln(n + 1) - gammaln(safe + 1) - gammaln(n - safe + 1)
    return np.asarray(np.where(inside, value, -np.inf))


def mcnemar(only_first: int, only_second: int) -> Significance | Undefined:
    """Return whether one of two paired shares is greater, by the exact sign test.

    Args:
        only_first: Pairs in which only the first succeeded.
        only_second: Pairs in which only the second did. Others do not count.

    Raises:
        ParameterError: not whole numbers, or negative.

    Source:
        McNemar 1947; the exact form.

    Example:
        >>> round(mcnemar(8, 1).p_value, 4)
        0.0391
    """
    one = whole(only_first, "only_first")
    n = one + whole(only_second, "only_second")
    if n == 0:
        return Undefined(reason="no pair differs", n=0)
    tail = float(bdtr(min(one, n - one), n, 0.5))
    return Significance(
        p_value=min(1.0, 2 * tail), statistic=float(one), n=n, method="McNemar exact, two-sided"
    )


def paired_difference(
    scores: ArrayLike, other: ArrayLike, *, bounds: tuple[float, float] | None = None
) -> MeanScore | Undefined:
    """Return the mean of one score less its partner.

    Args:
        scores: One a task (its mean where it has several episodes), shape `(tasks,)`.
        other: Scores of the same tasks, in the same order.
        bounds: Range of a score; differences then lie within its width.

    Raises:
        MalformedInput: a score is no finite number or outside the bounds, or other lengths.

    Assumptions:
        As of `mean_score`, for the differences.

    Example:
        >>> paired_difference([1, 1, 0], [0, 1, 0], bounds=(0, 1)).estimate
        0.3333333333333333
    """
    low, high = score_bounds(bounds)
    one, two = _paired(scores, other)
    within_bounds(one, (low, high))
    within_bounds(two, (low, high), "other")
    if not one.size:
        return Undefined(reason="no pair was scored", n=0)
    width = high - low
    return MeanScore(units=one - two, bounds=as_known(bounds, -width, width), unit="pairs")


def paired_permutation(
    scores: ArrayLike,
    other: ArrayLike,
    *,
    rng: np.random.Generator,
    alternative: Alternative = "two-sided",
    resamples: int = 9999,
) -> Significance | Undefined:
    """Return whether paired scores differ in mean, by changing signs of the differences.

    All changes of sign are tried up to 14 pairs that differ, random ones above.

    Args:
        scores: One a task, shape `(tasks,)`.
        other: Scores of the same tasks, in the same order.
        rng: Generator of the random changes.
        alternative: `greater`: the first; or `two-sided`.
        resamples: Random changes, at least 99.

    Raises:
        MalformedInput: a score is no finite number, or other lengths.
        ParameterError: an unknown alternative.

    Assumptions:
        Under the hypothesis each difference is as likely with either sign.

    Source:
        Fisher 1935, "The Design of Experiments", section 21; Phipson and Smyth 2010 for the
        random form.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> paired_permutation([3, 4, 5, 6], [1, 2, 3, 4], rng=rng).p_value
        0.125
    """
    if alternative not in ("greater", "two-sided"):
        raise ParameterError(f"alternative: none is named {alternative!r}")
    one, two = _paired(scores, other)
    whole(resamples, "resamples", least=99)
    if not one.size:
        return Undefined(reason="no pair was scored", n=0)
    differences = (one - two)[one != two]
    if not differences.size:
        return Undefined(reason="no pair differs", n=one.size)
    size = np.abs(differences) / np.abs(differences).max()
    seen = float(np.sign(differences) @ size)
    if size.size <= ENUMERATED:
        bits = np.arange(2**size.size)[:, np.newaxis] >> np.arange(size.size) & 1
        sums = (2 * bits - 1) @ size
        extra = 0
    else:
        sums = np.concatenate(
            [
                (2 * rng.integers(0, 2, (min(1000, resamples - at), size.size)) - 1) @ size
                for at in range(0, resamples, 1000)
            ]
        )
        extra = 1
    if alternative == "two-sided":
        sums, seen = np.abs(sums), abs(seen)
    reached = int(np.count_nonzero(sums >= seen - 1e-9))
    return Significance(
        p_value=(reached + extra) / (sums.size + extra),
        statistic=float(differences.sum()) / one.size,
        n=one.size,
        method=f"sign-flip permutation, {alternative}",
    )


def _paired(scores: ArrayLike, other: ArrayLike) -> tuple[Floats, Floats]:
    one, two = finite_numbers(scores), finite_numbers(other, "other")
    if one.size != two.size:
        raise MalformedInput(f"{one.size} scores, {two.size} partners")
    return one, two


def rank_sum(scores: ArrayLike, other: ArrayLike) -> Significance | Undefined:
    """Return whether the first scores tend to be higher, by the one-sided rank-sum test.

    All ways of dealing out the pooled ranks are counted up to 30 values, ties included; above,
    the normal approximation with tie-corrected variance and half a step of the sum's lattice
    as correction for continuity.

    Args:
        scores: Shape `(n,)`.
        other: Shape `(m,)`, independent.

    Raises:
        MalformedInput: a score is no finite number.

    Source:
        Mann and Whitney 1947; Streitberg and Roehmel 1986 for the count with ties.

    Example:
        >>> rank_sum([3, 4, 5], [1, 2, 2.5]).p_value
        0.05
    """
    one, two = finite_numbers(scores), finite_numbers(other, "other")
    if not (one.size and two.size):
        return Undefined(reason="no score on one side", n=one.size + two.size)
    ranks = doubled_ranks(np.concatenate([one, two]))
    seen = int(ranks[: one.size].sum())
    n = ranks.size
    if n <= EXACT:
        p_value = _share_of_subsets(ranks, one.size, seen)
    else:
        spread = float(np.sum((ranks - ranks.mean()) ** 2))
        if spread == 0:
            return Undefined(reason="all scores are equal", n=n)
        error = math.sqrt(one.size * two.size * spread / (n * (n - 1)))
        half_step = max(2, int(np.gcd.reduce(np.diff(np.unique(ranks))))) / 2
        p_value = float(ndtr(-(seen - half_step - one.size * ranks.mean()) / error))
    return Significance(
        p_value=p_value,
        statistic=superiority_of(one, two),
        n=n,
        method=f"rank sum, greater, {'exact' if n <= EXACT else 'normal'}",
    )


def superiority_of(scores: Floats, other: Floats) -> float:
    """Return the chance that a first score beats a second one, ties counted half."""
    ordered = np.sort(other)
    below = np.searchsorted(ordered, scores, "left") + np.searchsorted(ordered, scores, "right")
    return float(below.sum()) / (2 * scores.size * other.size)


def doubled_ranks(values: Floats) -> np.ndarray:
    """Return twice the mean rank of each value, whole numbers."""
    _, inverse, times = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(times)
    return (2 * ends - times + 1)[inverse]


def _share_of_subsets(ranks: np.ndarray, size: int, seen: int) -> float:
    """Return the share of subsets of one size whose sum of ranks is at least `seen`."""
    shifted = ranks - int(ranks.min())
    wanted = seen - size * int(ranks.min())
    total = int(shifted.sum())
    ways = np.zeros((size + 1, total + 1))
    ways[0, 0] = 1.0
    for rank in shifted:
        for taken in range(size, 0, -1):
            ways[taken, rank:] += ways[taken - 1, : total + 1 - rank]
    return float(ways[size, max(0, wanted) :].sum() / ways[size].sum())
