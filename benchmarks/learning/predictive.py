"""How well a number orders environments by what a learner gained, and intervals of that."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import kendalltau, rankdata

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Figure = Callable[[Floats, Floats], float]

RESAMPLES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampled:
    """A figure over environments with its percentile bootstrap interval."""

    estimate: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{_short(self.estimate)} [{_short(self.low)}, {_short(self.high)}]"


def _short(number: float) -> str:
    return "–" if np.isnan(number) else f"{number:.2f}".replace("0.", ".", 1)


def spearman(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation, 0 where a side is constant."""
    a, b = rankdata(one), rankdata(other)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def kendall(one: Floats, other: Floats) -> float:
    """Return Kendall's τ_b, 0 where a side is constant."""
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return 0.0
    return float(kendalltau(one, other).statistic)


def top_ten_recall(predicted: Floats, reached: Floats) -> float:
    """Return which share of the ten best is among the ten predicted to be; ties count by chance."""
    return float(_among_best(predicted, 10) @ _among_best(reached, 10)) / 10


def _among_best(values: Floats, count: int) -> Floats:
    """Return the chance of each to be among the best, ties broken at random."""
    if values.size <= count:
        return np.ones(values.size)
    edge = np.sort(values)[-count]
    above, level = values > edge, values == edge
    return np.asarray(above + level * (count - above.sum()) / level.sum(), dtype=np.float64)


def area_under_curve(predicted: Floats, learned: Floats) -> float:
    """Return the chance that one that is learned is predicted higher than one that is not.

    Ties count half. Not a number where all or none are learned.
    """
    yes = learned > 0.5
    count, rest = int(yes.sum()), int((~yes).sum())
    if not count or not rest:
        return float("nan")
    ranks = rankdata(predicted)
    return float((ranks[yes].sum() - count * (count + 1) / 2) / (count * rest))


def resampled(
    figure: Figure, predicted: ArrayLike, reached: ArrayLike, *, seed: int = 0
) -> Resampled:
    """Return a figure and its 95% interval over resampled environments.

    Args:
        figure: Of two arrays of shape `(environments,)`.
        predicted: What was predicted, shape `(environments,)`.
        reached: What was reached, same shape.
        seed: Of the resamples.
    """
    one, other = np.asarray(predicted, float), np.asarray(reached, float)
    rng = np.random.default_rng(seed)
    places = rng.integers(one.size, size=(RESAMPLES, one.size))
    drawn = np.array([figure(one[at], other[at]) for at in places])
    low, high = np.nanquantile(drawn, (0.025, 0.975))
    return Resampled(estimate=figure(one, other), low=float(low), high=float(high), n=int(one.size))


def resampled_difference(
    figure: Figure, one: ArrayLike, other: ArrayLike, reached: ArrayLike, *, seed: int = 0
) -> Resampled:
    """Return how much better one prediction does than another on the same environments."""
    both = np.column_stack([np.asarray(one, float), np.asarray(other, float)])
    truth = np.asarray(reached, float)
    rng = np.random.default_rng(seed)

    def difference(at: NDArray[np.int64] | slice) -> float:
        return figure(both[at, 0], truth[at]) - figure(both[at, 1], truth[at])

    places = rng.integers(truth.size, size=(RESAMPLES, truth.size))
    drawn = np.array([difference(at) for at in places])
    low, high = np.nanquantile(drawn, (0.025, 0.975))
    return Resampled(
        estimate=difference(slice(None)), low=float(low), high=float(high), n=int(truth.size)
    )


def leave_one_out(
    families: Sequence[str],
    fit: Callable[[Mask], Callable[[Mask], Floats]],
) -> Floats:
    """Return a prediction for each environment by what was fitted without its family.

    Args:
        families: Of each environment.
        fit: From the environments to fit on to a prediction for others; both as masks.
    """
    names = np.asarray(families)
    found = np.full(names.size, np.nan)
    for family in dict.fromkeys(families):
        held_out = names == family
        found[held_out] = fit(~held_out)(held_out)
    return found
