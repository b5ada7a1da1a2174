"""Splits the spread of scores into task, probe, seed and pure repeat."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from metrics.errors import ParameterError
from metrics.inputs import Codes, Floats, finite_numbers, fraction, group_codes, unit_scaled
from metrics.results import Interval, Undefined
from metrics.unbounded import sample_skewness

FEWEST: Final = 20
"""Tasks below which a variance has no interval."""
ROUNDING: Final = 1e-14
"""Distance, on scores scaled to [0, 1], that a mean may have from equal values."""
MOST_SKEWED: Final = 1.0
"""Skewness of the tasks' means above which a variance has no interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSquares:
    """Mean squares of an analysis of variance, coarsest level first, the residual last."""

    values: Floats
    """Shape `(levels + 1,)`."""
    without_task: Floats
    """The same without each task, shape `(tasks, levels + 1)`."""
    skewness: float
    """Of the tasks' means."""

    @property
    def tasks(self) -> int:
        return int(self.without_task.shape[0])

    def refusal(self, used: Sequence[int]) -> str | None:
        """Return why some of the mean squares have no interval, None where they have."""
        if self.tasks < FEWEST:
            return f"{self.tasks} tasks, {FEWEST} are needed for an interval"
        if abs(self.skewness) > MOST_SKEWED:
            return f"the tasks' means are too skewed ({self.skewness:.1f}) for an interval"
        if np.any(self.without_task[:, used] <= 0):
            return "all spread of one kind is in one task"
        return None

    def interval(self, which: int, level: float) -> Interval:
        """Return the interval of one mean square: jackknife over tasks of its logarithm."""
        logs = np.log(self.without_task[:, which])
        return _jackknife(math.log(self.values[which]), logs, level)

    def correlation(self, used: Sequence[int]) -> Floats:
        """Return how the mean squares move together from task to task."""
        logs = np.log(self.without_task[:, used])
        moved = logs - logs.mean(axis=0)
        sizes = np.sqrt(np.sum(moved**2, axis=0))
        sizes[sizes == 0] = 1.0
        found: Floats = (moved / sizes).T @ (moved / sizes)
        np.fill_diagonal(found, 1.0)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A variance component: a weighted sum of mean squares."""

    squares: MeanSquares
    weights: Floats
    """Shape `(levels + 1,)`."""

    @property
    def estimate(self) -> float:
        return float(self.weights @ self.squares.values)

    @property
    def n(self) -> int:
        """Number of tasks."""
        return self.squares.tasks

    @property
    def method(self) -> str:
        why = self.squares.refusal(self._used)
        return f"none: {why}" if why else "MOVER over log-jackknife of tasks"

    @property
    def _used(self) -> list[int]:
        return [at for at, weight in enumerate(self.weights) if weight != 0]

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval, everything from zero up where the data give none.

        Each mean square has the interval of a jackknife over tasks of its logarithm; those
        of their sum follow by variance estimates recovery with the correlations that the
        jackknife shows (Zou and Donner 2008).
        """
        level = fraction(level)
        if self.squares.refusal(self._used) is not None:
            return Interval(0.0, math.inf)
        used = self._used
        ends = [self.squares.interval(at, level) for at in used]
        values, weights = self.squares.values[used], self.weights[used]
        below = values - np.array([end.low for end in ends])
        above = np.array([end.high for end in ends]) - values
        rising = weights > 0
        related = self.squares.correlation(used)
        one = weights * np.where(rising, below, above)
        other = weights * np.where(rising, above, below)
        down, up = (max(0.0, float(part @ related @ part)) for part in (one, other))
        low, high = self.estimate - math.sqrt(down), self.estimate + math.sqrt(up)
        return Interval(max(0.0, low), max(0.0, high))


@dataclass(frozen=True, slots=True, kw_only=True)
class IntraclassCorrelation:
    """Share of the variance that lies between tasks: between over between plus within."""

    squares: MeanSquares
    size: float
    """Episodes of a task; where unequal, their mean corrected for inequality, n0."""
    upper: int = 0
    lower: int = 1
    """Which mean squares are compared; other levels than tasks may be."""

    @property
    def estimate(self) -> float:
        values = self.squares.values
        return self._of_ratio(float(values[self.upper] / values[self.lower]))

    @property
    def n(self) -> int:
        """Number of tasks."""
        return self.squares.tasks

    @property
    def method(self) -> str:
        why = self.squares.refusal([self.upper, self.lower])
        return f"none: {why}" if why else "jackknife over tasks of the log variance ratio"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval, 0 to 1 where the data give none."""
        level = fraction(level)
        if self.squares.refusal([self.upper, self.lower]) is not None:
            return Interval(0.0, 1.0)
        logs = np.log(self.squares.without_task[:, [self.upper, self.lower]])
        values = self.squares.values
        ratio = math.log(values[self.upper] / values[self.lower])
        low, high = _jackknife(ratio, logs[:, 0] - logs[:, 1], level)
        return Interval(max(0.0, self._of_ratio(low)), max(0.0, self._of_ratio(high)))

    def _of_ratio(self, ratio: float) -> float:
        return (ratio - 1) / (ratio - 1 + self.size) if math.isfinite(ratio) else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One-way split of the variance of scores."""

    between: Component
    """Variance of the tasks' true means; unbiased, so it may fall below zero by chance."""
    within: Component
    """Variance of episodes of one task."""
    icc: IntraclassCorrelation | Undefined
    """Undefined where no score differs within a task, which leaves no ratio to judge."""
    tasks: int
    n: int
    """Episodes."""


def spread(scores: ArrayLike, tasks: Sequence[Hashable] | ArrayLike) -> Spread | Undefined:
    """Return the variance of scores between and within tasks.

    Analysis of variance with unequal numbers of episodes: within = MSW,
    between = (MSB − MSW) / n0, n0 = (N − Σ n_t² / N) / (T − 1).

    Args:
        scores: One a scored episode, shape `(n,)`.
        tasks: Label of each episode's task, shape `(n,)`.

    Returns:
        Both variances in the squared unit of the score and the intraclass correlation,
        unitless. Undefined with fewer than two tasks, with one episode in each, or where all
        scores are equal, which leaves nothing to be split.

    Raises:
        MalformedInput: a score is no finite number, or labels of another length.

    Assumptions:
        Tasks are independent draws of one population; episodes of a task are independent.
        Intervals need 20 tasks, and means of tasks and scores within them whose tails are not
        longer than a normal distribution's: then they cover at their level less two points.

    Source:
        Searle, Casella, McCulloch 1992, "Variance Components", section 3.6; Arvesen and
        Layard 1975 for the jackknife on the logarithm.

    Example:
        >>> found = spread([0, 2, 4, 6], ["a", "a", "b", "b"])
        >>> [round(one.estimate, 4) for one in (found.within, found.between, found.icc)]
        [2.0, 7.0, 0.7778]
    """
    split = nested_components(scores, {"task": tasks})
    if isinstance(split, Undefined):
        return split
    between, within = split.components["task"], split.components["repeat"]
    flat = within.squares.values[1] == 0
    return Spread(
        between=between,
        within=within,
        icc=Undefined(reason="no score differs within a task", n=split.n)
        if flat
        else IntraclassCorrelation(squares=between.squares, size=1 / float(between.weights[0])),
        tasks=between.n,
        n=split.n,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedSpread:
    """Variance of scores by the level at which it arises."""

    components: Mapping[str, Component]
    """By name of the level, coarsest first; `repeat` last: what repeats of one seed differ."""
    n: int
    """Episodes."""


def nested_components(
    scores: ArrayLike, levels: Mapping[str, Sequence[Hashable] | ArrayLike]
) -> NestedSpread | Undefined:
    """Return the variance that arises at each of several nested levels.

    Level after level, the sum of squares between its units within a unit of the level above is
    set equal to its expectation under independent effects (analysis-of-variance estimators,
    unbalanced designs included); estimates are unbiased and may fall below zero by chance.

    Args:
        scores: One a scored episode, shape `(n,)`.
        levels: For each level its labels, shape `(n,)`, coarsest first, such as task, tier,
            seed. A label means a unit within its unit of the level above: seed 0 of one task
            is another unit than seed 0 of another.

    Returns:
        A component for each level and one for `repeat`, in the squared unit of the score.
        Undefined where a level has no two units within one of the level above, where no unit
        of the finest level was repeated, or where all scores are equal.

    Raises:
        MalformedInput: a score is no finite number, or labels of another length.
        ParameterError: no level, or one named `repeat`.

    Assumptions:
        Effects of all levels are independent. Intervals as of `spread`; the top level is what
        is resampled.

    Source:
        Searle, Casella, McCulloch 1992, "Variance Components", chapter 5 and appendix F.

    Example:
        >>> scores = [1, 2, 5, 6, 3, 4, 9, 8]
        >>> task, seed = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
        >>> found = nested_components(scores, {"task": task, "seed": seed}).components
        >>> [(name, round(one.estimate, 3)) for name, one in found.items()]
        [('task', -2.0), ('seed', 10.0), ('repeat', 0.5)]
    """
    found = finite_numbers(scores)
    if not levels or "repeat" in levels:
        raise ParameterError("levels: need at least one, and none named 'repeat'")
    names, units = [*levels, "repeat"], _nest(levels, found.size)
    why = _unsplittable(found, names, units)
    if why is not None:
        return Undefined(reason=why, n=found.size)
    scaled, _, span = unit_scaled(found)
    squares, weights = _analyse(scaled, units)
    square = span**2
    squares = MeanSquares(
        values=squares.values * square,
        without_task=squares.without_task * square,
        skewness=squares.skewness,
    )
    return NestedSpread(
        components={
            name: Component(squares=squares, weights=weights[at]) for at, name in enumerate(names)
        },
        n=found.size,
    )


def _jackknife(value: float, without: Floats, level: float) -> Interval:
    """Return the interval of a quantity from its logarithm, whole and without each task."""
    n = without.size
    error = float((n * value - (n - 1) * without).std(ddof=1)) / math.sqrt(n)
    half = float(stdtrit(n - 1, 0.5 + level / 2)) * error
    return Interval(_exp(value - half), _exp(value + half))


def _exp(value: float) -> float:
    return math.exp(value) if value < 700 else math.inf


def _nest(levels: Mapping[str, Sequence[Hashable] | ArrayLike], n: int) -> list[Codes]:
    """Return the unit of each episode at each level."""
    units: list[Codes] = []
    for name, labels in levels.items():
        codes = group_codes(labels, n, name)
        if units and n:
            codes = group_codes(units[-1] * (int(codes.max()) + 1) + codes, n, name)
        units.append(codes)
    return units


def _unsplittable(scores: Floats, names: Sequence[str], units: Sequence[Codes]) -> str | None:
    if not scores.size:
        return "no episode was scored"
    counts = [1, *(int(codes.max()) + 1 for codes in units), scores.size]
    for name, above, here in zip(names, counts, counts[1:], strict=False):
        if here == above:
            if name == names[0]:
                return f"there is one {name} only"
            return (
                f"no {names[-2]} has two scored episodes"
                if name == "repeat"
                else f"{name} does not vary within {names[names.index(name) - 1]}"
            )
    return "all scores are equal" if scores.min() == scores.max() else None


def _analyse(scores: Floats, units: Sequence[Codes]) -> tuple[MeanSquares, Floats]:
    """Return the mean squares and, row by row, each component's weights of them."""
    task = units[0]
    levels = [np.zeros(scores.size, dtype=np.intp), *units]
    squares, freedom = _within_tasks(scores, units)
    sums, freedoms = squares.sum(axis=0), freedom.sum(axis=0)
    sizes = np.bincount(task).astype(np.float64)
    means = np.bincount(task, weights=scores) / sizes
    top, top_without = _between_tasks(sizes, means)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = (sums - squares) / (freedoms - freedom)
    left = np.where(np.isfinite(left), left, 0.0)
    values = np.concatenate([[top / (sizes.size - 1)], sums / freedoms])
    without = np.column_stack([top_without / max(1, sizes.size - 2), left])
    skewed = sizes.size > 2 and means.min() < means.max()
    found = MeanSquares(
        values=values,
        without_task=without,
        skewness=sample_skewness(means) if skewed else 0.0,
    )
    weights: Floats = np.linalg.inv(_expectations(levels, scores.size)).astype(np.float64)
    return found, weights


def _within_tasks(scores: Floats, units: Sequence[Codes]) -> tuple[Floats, NDArray[np.float64]]:
    """Return sums of squares and degrees of freedom below the top, by task, finest last."""
    tasks = int(units[0].max()) + 1
    squares, freedom = [], []
    for above, here in zip(units, [*units[1:], np.arange(scores.size)], strict=True):
        sizes_above, sizes = np.bincount(above), np.bincount(here)
        means_above = np.bincount(above, weights=scores) / sizes_above
        means = np.bincount(here, weights=scores) / sizes
        first = np.empty(sizes.size, dtype=np.intp)
        first[here] = np.arange(scores.size)
        task_of, parent = units[0][first], above[first]
        away = means - means_above[parent]
        away[np.abs(away) < ROUNDING] = 0.0
        squares.append(np.bincount(task_of, sizes * away**2, minlength=tasks))
        parent_task = np.empty(sizes_above.size, dtype=np.intp)
        parent_task[above] = units[0]
        freedom.append(
            np.bincount(task_of, minlength=tasks) - np.bincount(parent_task, minlength=tasks)
        )
    return np.column_stack(squares), np.column_stack(freedom).astype(np.float64)


def _between_tasks(sizes: Floats, means: Floats) -> tuple[float, Floats]:
    """Return the sum of squares between tasks, whole and without each."""
    n, total, squares = sizes.sum(), np.sum(sizes * means), np.sum(sizes * means**2)
    grand = total / n
    whole_sum = float(np.sum(sizes * (means - grand) ** 2))
    rest = n - sizes
    left = squares - sizes * means**2 - (total - sizes * means) ** 2 / rest
    return whole_sum, np.maximum(left, 0.0)


def _expectations(levels: Sequence[Codes], n: int) -> Floats:
    """Return the weight of each component in the expectation of each mean square."""
    every = [*levels, np.arange(n)]
    sizes = [np.bincount(codes).astype(np.float64) for codes in every]
    raw = np.full((len(every), len(every) - 1), float(n))
    for i, codes in enumerate(every):
        for j in range(i + 1, len(every)):
            within = np.bincount(codes, weights=sizes[j][every[j]], minlength=sizes[i].size)
            raw[i, j - 1] = np.sum(within / sizes[i])
    freedom = np.diff([size.size for size in sizes])
    return np.asarray(np.diff(raw, axis=0) / freedom[:, np.newaxis])
