"""How much of a score is noise: of reruns, of the verifier, and how many repeats it takes."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from metrics.bounded import falling_root
from metrics.errors import ParameterError
from metrics.inputs import (
    Codes,
    Floats,
    finite_numbers,
    fraction,
    group_codes,
    number,
    range_remark,
    score_bounds,
    whole,
    within_bounds,
)
from metrics.results import Estimate, Interval, Undefined, known
from metrics.signal import TaskAverage
from metrics.unbounded import refusal, skewed_interval
from metrics.variance import IntraclassCorrelation, nested_components

OPEN: Final = Interval(0.0, math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFloor:
    """Standard error of the mean score over T tasks, were the same tasks run again."""

    squares: Floats
    """Square of the error of each task's own mean, shape `(tasks,)`."""
    bounded: TaskAverage | None
    """The same with its range, where the range of a score is known."""

    @property
    def estimate(self) -> float:
        return math.sqrt(float(self.squares.mean()) / self.n)

    @property
    def n(self) -> int:
        """Number of tasks."""
        return self.squares.size

    @property
    def method(self) -> str:
        if self.bounded is not None:
            return self.bounded.method
        why = refusal(self.squares)
        return f"none: {why}" if why else "Student t with Hall's correction, over tasks"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval; everything from zero up where the data give none.

        That of the mean over tasks of each task's squared error, moved to the scale of the
        floor.
        """
        level = fraction(level)
        if self.bounded is not None:
            ends = self.bounded.confidence_interval(level)
        elif refusal(self.squares) is None:
            ends = skewed_interval(self.squares, level)
        else:
            return OPEN
        low, high = (math.sqrt(max(0.0, end) / self.n) for end in ends)
        return Interval(low, high)


def noise_floor(
    scores: ArrayLike,
    tasks: Sequence[Hashable] | ArrayLike,
    *,
    bounds: tuple[float, float] | None = None,
) -> NoiseFloor | Undefined:
    """Return how far the mean score moves when the same tasks are run again: its error.

    The mean gives each task the same weight; each task's variance is estimated from its own
    episodes, so tasks with one episode cannot be among them.

    Args:
        scores: One a scored episode, shape `(n,)`.
        tasks: Label of each episode's task, shape `(n,)`.
        bounds: Range of a score, where it has one: with it there is an interval from one task
            on, without it from eight on whose errors are not very skewed.

    Returns:
        A standard deviation in the unit of the score, the square root of an unbiased
        variance; undefined where a task has one episode.

    Raises:
        MalformedInput: a score is no finite number or outside `bounds`, or labels of another
            length.
        ParameterError: bounds that are not finite and in rising order.

    Assumptions:
        Tasks are independent draws of one population (the interval is of the error that as
        many tasks of it have, each with as many episodes); episodes of a task are independent.
        Without bounds, scores of a task whose tails are not longer than a normal
        distribution's, and four episodes of each.

    Example:
        >>> found = noise_floor([0, 2, 4, 6], ["a", "a", "b", "b"])
        >>> round(found.estimate, 4), tuple(found.confidence_interval())
        (0.7071, (0.0, inf))
    """
    found, limits = finite_numbers(scores), score_bounds(bounds)
    codes = group_codes(tasks, found.size)
    within_bounds(found, limits)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    sizes = np.bincount(codes)
    if sizes.min() < 2:
        return Undefined(reason="a task has one scored episode", n=found.size)
    means = np.bincount(codes, weights=found) / sizes
    sums = np.bincount(codes, weights=(found - means[codes]) ** 2)
    squares = sums / (sizes - 1) / sizes
    return NoiseFloor(
        squares=squares,
        bounded=None if bounds is None else _within_range(squares, sizes, limits),
    )


def _within_range(squares: Floats, sizes: Codes, bounds: tuple[float, float]) -> TaskAverage:
    """Return the mean of squared errors with the most that each could be."""
    width = bounds[1] - bounds[0]
    if not math.isfinite(width):
        raise ParameterError("bounds: need finite ends")
    halves = (sizes // 2) * ((sizes + 1) // 2) / sizes
    most = width**2 * float(np.max(halves / (sizes - 1) / sizes))
    return TaskAverage(
        per_task=squares,
        left_out=0,
        most=most,
        most_of_group=width**2 / (2 * float(sizes[0])),
        groups=int(sizes[0]) // 2,
        remark=range_remark(bounds),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalToNoise:
    """Spread of the tiers' means over the error of one mean."""

    tiers: tuple[Estimate, ...]
    noise: Estimate

    @property
    def estimate(self) -> float:
        means = np.array([tier.estimate for tier in self.tiers])
        return float(means.std(ddof=1)) / self.noise.estimate

    @property
    def n(self) -> int:
        """Number of tiers."""
        return len(self.tiers)

    @property
    def method(self) -> str:
        parts = (*self.tiers, self.noise)
        for part in parts:
            if part.method.startswith("none"):
                return part.method
        return f"box of {len(parts)} intervals (Bonferroni): {self.noise.method}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval, everything from zero up where one part has none.

        All tiers' means and the noise have intervals at once (Bonferroni); the ends are the
        least and an upper bound of the greatest ratio within them, so it covers with room to
        spare.
        """
        each = 1 - (1 - fraction(level)) / (len(self.tiers) + 1)
        ends = np.array([tier.confidence_interval(each) for tier in self.tiers])
        low, high = self.noise.confidence_interval(each)
        if not np.all(np.isfinite(ends)):
            return OPEN
        least, most = _spread_within(ends[:, 0], ends[:, 1])
        return Interval(least / high, most / low if low > 0 else math.inf)


def signal_to_noise(tiers: Sequence[Estimate], noise: Estimate) -> SignalToNoise | Undefined:
    """Return the spread of tiers over the error of one mean: can the environment rank them?

    Args:
        tiers: Mean score of each probe tier, from `mean_score`.
        noise: Error of one such mean, from `noise_floor`.

    Returns:
        Standard deviation of the means over the noise, unitless; undefined with fewer than two
        tiers or without noise.

    Raises:
        ParameterError: negative noise.

    Assumptions:
        Those of the intervals that are handed in. The estimate holds the noise of the means
        too, so it lies above the ratio of the true ones; the interval is for the true ones.

    Source:
        Heineman et al. 2025, arXiv 2508.13144.

    Example:
        >>> from metrics.bootstrap import mean_score
        >>> tasks = ["a"] * 8
        >>> tiers = [mean_score([0, 0, 0, 0, 0, 0, 0, 1]), mean_score([0, 1, 1, 1, 1, 0, 1, 1])]
        >>> noise = noise_floor([0, 1, 1, 1, 1, 0, 1, 1], tasks, bounds=(0, 1))
        >>> round(signal_to_noise(tiers, noise).estimate, 3)
        2.7
    """
    known(noise, "noise")
    for tier in tiers:
        known(tier, "tiers")
    if not noise.estimate >= 0:
        raise ParameterError(f"noise: need a number of at least 0, got {noise.estimate!r}")
    if len(tiers) < 2:
        return Undefined(reason="fewer than two tiers", n=len(tiers))
    if noise.estimate == 0:
        return Undefined(reason="repeats do not differ at all", n=len(tiers))
    return SignalToNoise(tiers=tuple(tiers), noise=noise)


def _spread_within(lows: Floats, highs: Floats) -> tuple[float, float]:
    """Return the least standard deviation of values in a box, and a bound of the greatest.

    A sum of squares about the mean is the least of those about any centre: for the least,
    the values come as near to the centre as they may; about any one centre, values as far
    from it as they may be have a sum that is not below the greatest.
    """
    middle, half = (lows + highs) / 2, (highs - lows) / 2
    first, last = float(lows.min()), float(highs.max())

    def nearest(centre: float) -> Floats:
        return np.asarray(centre - np.clip(centre, lows, highs))

    def farthest(centre: float) -> Floats:
        away = centre - middle
        return away + np.copysign(half, away)

    def deviation(far: Floats) -> float:
        return math.sqrt(float(np.sum(far**2)) / (lows.size - 1))

    near = falling_root(lambda centre: -float(np.sum(nearest(centre))), first, last)
    far = falling_root(lambda centre: -float(np.sum(farthest(centre))), first, last)
    return deviation(nearest(near)), deviation(farthest(far))


def repeats_needed(
    within: float, *, tasks: int, standard_error: float, between: float = 0.0
) -> int | Undefined:
    """Return how many episodes of each task give the mean a wanted standard error.

    Its square is between / T + within / (T n).

    Args:
        within: Variance of episodes of one task.
        tasks: T.
        standard_error: What the mean's error may be, in the unit of the score.
        between: Variance of the tasks' means, where other tasks are meant; 0 for these tasks.

    Returns:
        n, at least 1; undefined where no number of episodes does, for lack of tasks.

    Raises:
        ParameterError: a negative variance, no task, or an error that is not positive.

    Example:
        >>> repeats_needed(0.25, tasks=10, standard_error=0.05)
        10
        >>> repeats_needed(0.25, tasks=10, standard_error=0.05, between=0.04).reason
        'tasks differ too much: 17 tasks would be the least'
    """
    within, between = number(within, "within"), number(between, "between")
    standard_error = number(standard_error, "standard_error")
    finite = max(within, between, standard_error) < math.inf
    if not (within >= 0 and between >= 0 and standard_error > 0 and finite):
        raise ParameterError("need variances of at least 0 and a positive standard error")
    wanted = standard_error**2
    left = wanted * whole(tasks, "tasks", least=1) - between
    if left <= 1e-12 * between:
        least = math.floor(between / wanted * (1 + 1e-12)) + 1
        return Undefined(reason=f"tasks differ too much: {least} tasks would be the least", n=tasks)
    return max(1, math.ceil(within / left * (1 - 1e-12)))


def learnable_share(
    scores: ArrayLike,
    tasks: Sequence[Hashable] | ArrayLike,
    trajectories: Sequence[Hashable] | ArrayLike,
) -> IntraclassCorrelation | Undefined:
    """Return the share of the variance within tasks that scoring a trajectory again keeps.

    1: all of it tells trajectories of a task apart; 0: it is noise of the verifier, which a
    learner sees as signal and cannot learn.

    Args:
        scores: One a scoring, shape `(n,)`: each trajectory is scored twice or more.
        tasks: Label of the task, shape `(n,)`.
        trajectories: Label of the trajectory within its task, shape `(n,)`.

    Returns:
        The share, unitless, up to 1 (below zero by chance); undefined where no trajectory was
        scored twice, no task has two, or no scoring differs.

    Raises:
        MalformedInput: a score is no finite number, or labels of another length.

    Assumptions:
        As of `nested_components`.

    Example:
        >>> found = learnable_share([0, 0, 1, 1, 1, 1, 0, 1], [0] * 4 + [1] * 4, [0, 0, 1, 1] * 2)
        >>> round(found.estimate, 3)
        0.667
    """
    split = nested_components(scores, {"task": tasks, "trajectory": trajectories})
    if isinstance(split, Undefined):
        return split
    squares = split.components["trajectory"].squares
    if squares.values[2] == 0:
        return Undefined(reason="scoring a trajectory again never differs", n=split.n)
    size = 1 / float(split.components["trajectory"].weights[1])
    return IntraclassCorrelation(squares=squares, size=size, upper=1, lower=2)
