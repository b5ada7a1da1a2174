"""Intervals for mean scores and by resampling, plain, stratified and by cluster of tasks."""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from metrics.bounded import gaffke_interval
from metrics.errors import MalformedInput, ParameterError
from metrics.inputs import (
    Codes,
    Floats,
    finite_numbers,
    fraction,
    group_codes,
    range_remark,
    score_bounds,
    whole,
    within_bounds,
)
from metrics.results import Interval, Undefined
from metrics.unbounded import refusal, skewed_interval

Resampling: TypeAlias = Literal["percentile", "BCa", "studentised"]
Statistic: TypeAlias = Callable[[Floats], Floats]
"""From samples, shape `(samples, n)`, to their statistic, shape `(samples,)`."""

FEWEST: Final[dict[str, int]] = {"percentile": 100, "BCa": 100, "studentised": 16}
"""Units from which each method is held to cover; see `bootstrap_estimate`."""
_AT_ONCE = 4_000_000
"""Resampled values held at one time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanScore:
    """A mean over independent units: episodes, or clusters of them."""

    units: Floats
    """One value a unit: its score, or its mean score where it is a cluster."""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    unit: str = "episodes"

    @property
    def estimate(self) -> float:
        return float(self.units.mean())

    @property
    def n(self) -> int:
        return self.units.size

    @property
    def method(self) -> str:
        if any(map(math.isfinite, self.bounds)):
            return f"Gaffke, over {self.unit}{range_remark(self.bounds)}"
        why = refusal(self.units)
        return f"none: {why}" if why else f"Student t with Hall's correction, over {self.unit}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval; an end that the data cannot bound is infinite."""
        if any(map(math.isfinite, self.bounds)):
            return gaffke_interval(self.units, self.bounds, fraction(level))
        return skewed_interval(self.units, fraction(level))


def mean_score(
    scores: ArrayLike,
    clusters: Sequence[Hashable] | ArrayLike | None = None,
    *,
    bounds: tuple[float, float] | None = None,
) -> MeanScore | Undefined:
    """Return the mean score, each cluster weighing the same.

    Args:
        scores: One a scored episode, shape `(n,)`.
        clusters: Label of each episode's task or start, shape `(n,)`. Episodes of one
            cluster are not independent, so the interval is over clusters. With one label
            only, or none, it is over episodes, and says nothing of other tasks.
        bounds: Range of a score, where it has one; a `SeenRange` where it is only the range of
            the scores that were seen, which `method` then says.

    Returns:
        The mean in the score's unit; undefined where no episode was scored.

    Raises:
        MalformedInput: a score is no finite number or outside `bounds`, or labels of another
            length.
        ParameterError: bounds not in rising order.

    Assumptions:
        Clusters (or episodes) are independent draws of one population. Without bounds, what
        `metrics.unbounded.skewed_interval` assumes; it gives no interval to fewer than eight
        units, equal ones, or very skewed ones.

    Source:
        Miller 2024, arXiv 2411.00640, for tasks as clusters; `metrics.bounded` and
        `metrics.unbounded` for the intervals.

    Example:
        >>> found = mean_score([0.0, 0.0, 1.0, 1.0], ["a", "a", "b", "b"], bounds=(0, 1))
        >>> found.estimate, found.n, [round(end, 3) for end in found.confidence_interval()]
        (0.5, 2, [0.013, 0.987])
    """
    found, limits = finite_numbers(scores), score_bounds(bounds)
    within_bounds(found, limits)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    return mean_over(found, clusters, limits)


def mean_over(
    scores: Floats,
    clusters: Sequence[Hashable] | ArrayLike | None,
    bounds: tuple[float, float],
) -> MeanScore:
    """Return the mean of scores that are there, over clusters where there are several."""
    if clusters is not None:
        codes = group_codes(clusters, scores.size, "clusters")
        if codes.max() > 0:
            return MeanScore(units=cluster_means(scores, codes), bounds=bounds, unit="clusters")
    return MeanScore(units=scores, bounds=bounds)


def cluster_means(scores: Floats, codes: Codes) -> Floats:
    """Return the mean of each cluster, shape `(clusters,)`."""
    sizes = np.bincount(codes)
    means: Floats = np.bincount(codes, weights=scores) / sizes
    return np.clip(means, scores.min(), scores.max())


def mean(samples: Floats) -> Floats:
    """Return the mean of each sample."""
    return np.asarray(samples.mean(axis=-1))


def interquartile_mean(samples: Floats) -> Floats:
    """Return the mean of the middle half of each sample.

    Source:
        Agarwal et al. 2021, arXiv 2108.13264, section 4.3.
    """
    cut = samples.shape[-1] // 4
    ordered = np.partition(samples, (cut, samples.shape[-1] - cut - 1), axis=-1)
    return np.asarray(ordered[..., cut : samples.shape[-1] - cut].mean(axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrapped:
    """A statistic with its values on resampled data."""

    estimate: float
    n: int
    """Units that were resampled."""
    replicates: Floats
    """The statistic of each resample, rising; studentised, its distance from the estimate in
    standard errors."""
    error: float
    """Standard error of the estimate, where studentised."""
    acceleration: float
    """Skewness of the influence of single units over six, where BCa."""
    below: float
    """Share of replicates below the estimate, half of those equal to it."""
    resampling: Resampling
    unit: str

    @property
    def method(self) -> str:
        return f"{self.resampling} bootstrap over {self.unit}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval."""
        tail = (1 - fraction(level)) / 2
        if self.resampling == "studentised":
            return Interval(
                self.estimate - self._at(1 - tail) * self.error,
                self.estimate - self._at(tail) * self.error,
            )
        if self.resampling == "BCa":
            return Interval(self._at(self._shifted(tail)), self._at(self._shifted(1 - tail)))
        return Interval(self._at(tail), self._at(1 - tail))

    def _at(self, share: float) -> float:
        """Return the replicate at a share of all, taken outwards."""
        last = self.replicates.size - 1
        place = share * (last + 2) - 1
        whole_place = math.floor(place) if share < 0.5 else math.ceil(place)
        return float(self.replicates[min(max(whole_place, 0), last)])

    def _shifted(self, share: float) -> float:
        bias = float(ndtri(min(max(self.below, 1e-9), 1 - 1e-9)))
        z = bias + float(ndtri(share))
        return float(ndtr(bias + z / (1 - self.acceleration * z)))


def bootstrap_estimate(
    scores: ArrayLike,
    *,
    rng: np.random.Generator,
    clusters: Sequence[Hashable] | ArrayLike | None = None,
    strata: Sequence[Hashable] | ArrayLike | None = None,
    statistic: Statistic = mean,
    method: Resampling = "percentile",
    resamples: int = 2000,
) -> Bootstrapped | Undefined:
    """Return a statistic with an interval from resampled data.

    Args:
        scores: One a scored episode, shape `(n,)`.
        rng: Generator of the resamples.
        clusters: Label of each episode's task: whole tasks are resampled, each by its mean
            score, each weighing the same. For statements about other tasks.
        strata: Label of each episode's task: episodes are resampled within each. For
            statements about these tasks. Not together with `clusters`.
        statistic: From samples, shape `(samples, n)`, to values, shape `(samples,)`: `mean`,
            `interquartile_mean`, or one's own.
        method: `percentile`; `BCa`, corrected for bias and skewness; `studentised`, the mean
            only and without strata.
        resamples: At least 200.

    Returns:
        The statistic; undefined where there are fewer units than the method needs (100, 100
        and 16), where all units are equal, or where a stratum has one episode.

    Raises:
        MalformedInput: a score is no finite number, labels of another length, or a statistic
            of another shape.
        ParameterError: what does not go together.

    Assumptions:
        Units are independent draws of one population, with one peak and skewness up to 2 at
        most. `mean_score` needs fewer units, and no assumption where the range is known.

    Source:
        Efron and Tibshirani 1993, "An Introduction to the Bootstrap", chapters 12 to 14.

    Example:
        >>> found = bootstrap_estimate(range(128), rng=np.random.default_rng(0))
        >>> found.estimate, [round(end) for end in found.confidence_interval(0.95)]
        (63.5, [57, 70])
    """
    found = finite_numbers(scores)
    _check_plan(method, statistic, clusters, strata)
    whole(resamples, "resamples", least=200)
    units, groups, unit = _units(found, clusters, strata)
    if units.size < FEWEST[method]:
        return Undefined(
            reason=f"{units.size} {unit}, {FEWEST[method]} are needed to resample", n=units.size
        )
    if units.min() == units.max():
        return Undefined(reason=f"all {units.size} {unit} are equal", n=units.size)
    if groups is not None and np.bincount(groups).min() < 2:
        return Undefined(reason="a stratum has one episode", n=units.size)
    estimate = _one(statistic, units)
    error = float(units.std(ddof=1)) / math.sqrt(units.size) if method == "studentised" else 0.0
    values = np.concatenate(
        [
            _studentised(sample, estimate) if method == "studentised" else statistic(sample)
            for sample in _samples(units, groups, resamples, rng)
        ]
    )
    centre = 0.0 if method == "studentised" else estimate
    below = np.count_nonzero(values < centre) + 0.5 * np.count_nonzero(values == centre)
    return Bootstrapped(
        estimate=estimate,
        n=units.size,
        replicates=np.sort(values),
        error=error,
        acceleration=_acceleration(units, statistic) if method == "BCa" else 0.0,
        below=below / values.size,
        resampling=method,
        unit=unit,
    )


def _check_plan(method: str, statistic: Statistic, clusters: object, strata: object) -> None:
    if method not in FEWEST:
        raise ParameterError(f"method: none is named {method!r}")
    if clusters is not None and strata is not None:
        raise ParameterError("bootstrap: either clusters or strata, not both")
    if method == "studentised" and (statistic is not mean or strata is not None):
        raise ParameterError("bootstrap: studentised is for the mean, without strata")


def _units(
    scores: Floats,
    clusters: Sequence[Hashable] | ArrayLike | None,
    strata: Sequence[Hashable] | ArrayLike | None,
) -> tuple[Floats, Codes | None, str]:
    """Return the units to resample, in order of their strata, with these."""
    if clusters is not None:
        codes = group_codes(clusters, scores.size, "clusters")
        return (cluster_means(scores, codes) if scores.size else scores), None, "clusters"
    if strata is None:
        return scores, None, "episodes"
    codes = group_codes(strata, scores.size, "strata")
    order = np.argsort(codes, kind="stable")
    return scores[order], codes[order], "episodes within strata"


def _samples(
    units: Floats, groups: Codes | None, resamples: int, rng: np.random.Generator
) -> Iterator[Floats]:
    sizes = np.array([units.size]) if groups is None else np.bincount(groups)
    begins = np.repeat(np.cumsum(sizes) - sizes, sizes)
    reach = np.repeat(sizes, sizes)
    rows = max(1, _AT_ONCE // units.size)
    for done in range(0, resamples, rows):
        shape = (min(rows, resamples - done), units.size)
        yield units[begins + (rng.random(shape) * reach).astype(np.intp)]


def _studentised(sample: Floats, estimate: float) -> Floats:
    error = sample.std(axis=-1, ddof=1) / math.sqrt(sample.shape[-1])
    away = sample.mean(axis=-1) - estimate
    far = np.where(away == 0, 0.0, np.copysign(np.inf, away))
    return np.asarray(np.divide(away, error, out=far, where=error > 1e-12 * np.abs(away)))


def _acceleration(units: Floats, statistic: Statistic) -> float:
    if statistic is mean:
        without = (units.sum() - units) / (units.size - 1)
    else:
        without = np.array([_one(statistic, np.delete(units, at)) for at in range(units.size)])
    influence = without.mean() - without
    spread = float(np.sum(influence**2))
    return 0.0 if spread == 0 else float(np.sum(influence**3)) / (6 * spread**1.5)


def _one(statistic: Statistic, units: Floats) -> float:
    value: NDArray[np.float64] = np.asarray(statistic(units[np.newaxis, :]))
    if value.shape != (1,) or not np.isfinite(value[0]):
        raise MalformedInput("statistic: need one finite number a sample")
    return float(value[0])
