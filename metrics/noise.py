"""How much of a score is noise: of reruns, of the verifier, and how many repeats it takes."""

import math
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from metrics.errors import ParameterError
from metrics.inputs import finite_numbers, group_codes, whole
from metrics.results import Undefined
from metrics.variance import IntraclassCorrelation, nested_components


def noise_floor(scores: ArrayLike, tasks: Sequence[Hashable] | ArrayLike) -> float | Undefined:
    """Return how far the mean score moves when the same tasks are run again: its error.

    The mean gives each task the same weight; each task's variance is estimated from its own
    episodes, so tasks with one episode cannot be among them.

    Returns:
        A standard deviation in the unit of the score; undefined where a task has one episode.

    Raises:
        MalformedInput: a score is no finite number, or labels of another length.

    Example:
        >>> noise_floor([0, 2, 4, 6], ["a", "a", "b", "b"])
        0.7071067811865476
    """
    found = finite_numbers(scores)
    codes = group_codes(tasks, found.size)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    sizes = np.bincount(codes)
    if sizes.min() < 2:
        return Undefined(reason="a task has one scored episode", n=found.size)
    means = np.bincount(codes, weights=found) / sizes
    squares = np.bincount(codes, weights=(found - means[codes]) ** 2)
    return float(np.sqrt(np.sum(squares / (sizes - 1) / sizes))) / sizes.size


def signal_to_noise(tier_means: ArrayLike, noise: float) -> float | Undefined:
    """Return the spread of tiers over the error of one mean: can the environment rank them?

    Args:
        tier_means: Mean score of each probe tier, shape `(tiers,)`.
        noise: Error of one such mean, from `noise_floor`.

    Returns:
        Standard deviation of the means over the noise, unitless; undefined with fewer than two
        tiers or without noise.

    Raises:
        MalformedInput: a mean is no finite number.
        ParameterError: negative noise.

    Source:
        Heineman et al. 2025, arXiv 2508.13144.

    Example:
        >>> round(signal_to_noise([0.1, 0.5], 0.1), 3)
        2.828
    """
    means = finite_numbers(tier_means, "tier_means")
    if not noise >= 0:
        raise ParameterError(f"noise: need a number of at least 0, got {noise!r}")
    if means.size < 2:
        return Undefined(reason="fewer than two tiers", n=means.size)
    if noise == 0:
        return Undefined(reason="repeats do not differ at all", n=means.size)
    return float(means.std(ddof=1)) / noise


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
    if not (within >= 0 and between >= 0 and standard_error > 0):
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
