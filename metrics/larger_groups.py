"""What groups larger than the episodes at hand would get at least."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.inputs import finite_numbers, group_codes, whole
from metrics.results import Interval, Undefined
from metrics.signal import TaskAverage, runs_of_equal
from metrics.solvability import chance_of_all


@dataclass(frozen=True, slots=True, kw_only=True)
class AtLeast:
    """What a share is at least, from a lower one that can be estimated."""

    lower: TaskAverage

    @property
    def estimate(self) -> float:
        return self.lower.estimate

    @property
    def n(self) -> int:
        """Number of tasks."""
        return self.lower.n

    @property
    def method(self) -> str:
        return f"{self.lower.method}, a lower bound"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the low end for the lower share, and 1."""
        return Interval(self.lower.confidence_interval(level).low, 1.0)


def live_group_share_at_least(
    scores: ArrayLike, tasks: Sequence[Hashable] | ArrayLike, *, group_size: int
) -> AtLeast | Undefined:
    """Return what the live-group share is at least, at any G, however few episodes there are.

    A larger group is live wherever a part of it is. So a task with n < G episodes counts by
    its share at groups of n: whether any two of its scores differ.

    Args:
        scores: One a scored episode, shape `(n,)`; equal means equal to the last digit.
        tasks: Label of each episode's task, shape `(n,)`.
        group_size: G, at least 2.

    Returns:
        The lower share, unitless, in [0, 1], with an interval that is open above: its high end
        is 1. Tasks with one episode are left out and counted; undefined where none is left.

    Raises, Assumptions:
        As of `live_group_share`, which has no such bias where every task has G episodes.

    Source:
        As of `live_group_share`.

    Example:
        >>> found = live_group_share_at_least([0, 1, 0, 0], [0, 0, 1, 1], group_size=8)
        >>> found.estimate, found.confidence_interval().high
        (0.5, 1.0)
    """
    found = finite_numbers(scores)
    codes = group_codes(tasks, found.size)
    size = whole(group_size, "group_size", least=2)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    episodes = np.bincount(codes)
    enough = episodes >= 2
    if not enough.any():
        return Undefined(reason="no task has two scored episodes", n=episodes.size)
    task_of, equal = runs_of_equal(found, codes)
    drawn = np.minimum(size, episodes)
    silent = np.zeros(episodes.size)
    for of in np.unique(drawn[enough]):
        runs = drawn[task_of] == of
        chances = chance_of_all(equal[runs], episodes[task_of[runs]], int(of))
        silent += np.bincount(task_of[runs], weights=chances, minlength=episodes.size)
    first = int(np.flatnonzero(enough)[0])
    return AtLeast(
        lower=TaskAverage(
            per_task=np.clip(1.0 - silent[enough], 0.0, 1.0),
            left_out=int(np.count_nonzero(~enough)),
            most=1.0,
            most_of_group=1.0,
            groups=int(episodes[first] // drawn[first]),
        )
    )
