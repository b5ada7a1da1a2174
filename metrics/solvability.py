"""pass@k, pass^k, reachability, floor and headroom."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.bootstrap import MeanScore, mean_over
from metrics.bounded import gaffke_interval
from metrics.errors import MalformedInput, ParameterError
from metrics.inputs import (
    Floats,
    counts,
    finite_numbers,
    fraction,
    number,
    score_bounds,
    whole,
    within_bounds,
)
from metrics.proportions import Proportion, proportion
from metrics.results import Estimate, Interval, Undefined, known


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The best mean score among probes that do not look at the task."""

    means: Mapping[str, MeanScore]

    @property
    def best(self) -> str:
        """Name of the probe with the highest mean."""
        return max(self.means, key=lambda probe: self.means[probe].estimate)

    @property
    def estimate(self) -> float:
        return self.means[self.best].estimate

    @property
    def n(self) -> int:
        return sum(mean.n for mean in self.means.values())

    @property
    def method(self) -> str:
        unbounded = [mean.method for mean in self.means.values() if "none" in mean.method]
        if unbounded:
            return unbounded[0]
        return f"{self.means[self.best].method}, best of {len(self.means)}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval of the highest of the true means.

        The low end is the highest of the probes' low ends, each at a share of the error
        (Bonferroni), for the choice of the best; the high end needs no such share, since the
        best probe is one of those whose high ends it is the highest of.
        """
        rest = 1 - fraction(level)
        means = self.means.values()
        low = max(mean.confidence_interval(1 - rest / len(means)).low for mean in means)
        high = max(mean.confidence_interval(level).high for mean in means)
        return Interval(low, high)


def floor(
    scores_by_probe: Mapping[str, ArrayLike],
    *,
    clusters_by_probe: Mapping[str, Sequence[Hashable] | ArrayLike] | None = None,
    bounds: tuple[float, float] | None = None,
) -> Floor | Undefined:
    """Return the best mean score of the task-blind probes.

    Args:
        scores_by_probe: Scores of each probe, shape `(n,)` each; probes without any are left
            out.
        clusters_by_probe: Label of each episode's task or start, shape `(n,)` each; intervals
            are then over clusters, since episodes of one cluster are not independent.
        bounds: Range of a score. Without it, a probe that always scores the same bounds
            nothing, and the interval is open.

    Returns:
        The floor in the score's unit; undefined where no probe has a score.

    Raises:
        MalformedInput: a score is no finite number or outside `bounds`.
        ParameterError: bounds not in rising order.

    Assumptions:
        Clusters (or episodes, where there are none) of one probe are independent.

    Example:
        >>> found = floor({"noop": [0, 0, 0, 0], "random": [0, 1, 0, 0]}, bounds=(0, 1))
        >>> found.best, found.estimate
        ('random', 0.25)
    """
    limits = score_bounds(bounds)
    means: dict[str, MeanScore] = {}
    for probe, scores in scores_by_probe.items():
        found = finite_numbers(scores, f"scores of {probe}")
        within_bounds(found, limits, f"scores of {probe}")
        if found.size:
            labels = None if clusters_by_probe is None else clusters_by_probe[probe]
            means[probe] = mean_over(found, labels, limits)
    if not means:
        return Undefined(reason="no episode of a task-blind probe was scored", n=0)
    return Floor(means=means)


def reachability(successes: int, n: int) -> Proportion | Undefined:
    """Return the share of episodes that succeed.

    One success proves that a success can be reached; none in n leaves the share below
    `upper_bound(level)`, 31 % at n = 8, and never proves that it cannot.

    Raises:
        MalformedInput: more successes than episodes.
        ParameterError: not whole numbers, or negative.

    Example:
        >>> round(reachability(0, 32).upper_bound(0.95), 3)
        0.089
    """
    found = proportion(successes, n)
    return Undefined(reason="no episode was scored", n=0) if isinstance(found, Undefined) else found


@dataclass(frozen=True, slots=True, kw_only=True)
class PassAtK:
    """Mean over tasks of the chance that at least one of k attempts succeeds, or all."""

    k: int
    per_task: Floats
    """Unbiased estimate of each task, shape `(tasks,)`."""
    left_out: int
    """Tasks with fewer than k attempts."""
    single: Proportion | None
    """The counted attempts of the task where there is one only."""
    all_succeed: bool = False
    """The chance is that all of k succeed (pass^k); `single` then counts failures."""

    @property
    def estimate(self) -> float:
        return float(self.per_task.mean())

    @property
    def n(self) -> int:
        return self.per_task.size

    @property
    def method(self) -> str:
        if self.single is not None:
            return "Clopper-Pearson of the one task's success rate"
        return "Gaffke, over tasks"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval over tasks; of the task itself where there is one."""
        level = fraction(level)
        if self.single is None:
            return gaffke_interval(self.per_task, (0.0, 1.0), level)
        ends = [_at_least_once(end, self.k) for end in self.single.confidence_interval(level)]
        if self.all_succeed:
            ends = [1.0 - end for end in reversed(ends)]
        return Interval(*ends)


def pass_at_k(
    successes_per_task: ArrayLike, attempts_per_task: ArrayLike, k: int
) -> PassAtK | Undefined:
    """Return pass@k: the chance that at least one of k attempts at a task succeeds.

    Per task 1 − C(n−c, k) / C(n, k), unbiased for n attempts with c successes; then the mean
    over the tasks that have at least k attempts.

    Args:
        successes_per_task: c, shape `(tasks,)`.
        attempts_per_task: n, shape `(tasks,)`, scored attempts.
        k: At least 1.

    Returns:
        The mean, unitless, in [0, 1]; undefined where no task has k attempts.

    Raises:
        MalformedInput: other lengths, counts that are negative or not whole, or more
            successes than attempts.
        ParameterError: k below 1.

    Assumptions:
        Attempts at a task are exchangeable; tasks are independent draws of one population.

    Source:
        Chen et al. 2021, arXiv 2107.03374, section 2.1.

    Example:
        >>> found = pass_at_k([1, 0, 4], [4, 4, 4], 2)
        >>> found.estimate, found.per_task.tolist()
        (0.5, [0.5, 0.0, 1.0])
    """
    successes = counts(successes_per_task, "successes_per_task")
    attempts = counts(attempts_per_task, "attempts_per_task")
    k = whole(k, "k", least=1)
    if successes.shape != attempts.shape:
        raise MalformedInput(
            f"successes of {successes.size} tasks, attempts of {attempts.size} tasks"
        )
    if np.any(successes > attempts):
        raise MalformedInput("a task has more successes than attempts")
    enough = attempts >= k
    if not enough.any():
        return Undefined(
            reason=f"no task has {k} scored attempts" if attempts.size else "no task",
            n=int(attempts.size),
        )
    c, n = successes[enough], attempts[enough]
    single = Proportion(successes=int(c[0]), n=int(n[0])) if c.size == 1 else None
    return PassAtK(
        k=k,
        per_task=1.0 - chance_of_all(n - c, n, k),
        left_out=int(np.count_nonzero(~enough)),
        single=single,
    )


def chance_of_all(marked: ArrayLike, total: ArrayLike, drawn: int) -> Floats:
    """Return C(marked, drawn) / C(total, drawn): the chance that all drawn are marked.

    Drawn without replacement; `total` at least `drawn`.
    """
    some, all_ = np.asarray(marked, dtype=np.float64), np.asarray(total, dtype=np.float64)
    chance: Floats = np.ones(np.broadcast(some, all_).shape)
    for taken in range(drawn):
        chance *= np.maximum(some - taken, 0.0) / (all_ - taken)
    return chance


def _at_least_once(share: float, k: int) -> float:
    return 1.0 if share == 1 else -math.expm1(k * math.log1p(-share))


def pass_all_k(
    successes_per_task: ArrayLike, attempts_per_task: ArrayLike, k: int
) -> PassAtK | Undefined:
    """Return pass^k: the chance that all of k attempts at a task succeed.

    Per task C(c, k) / C(n, k), unbiased; then the mean over the tasks with k attempts. It
    measures reliability, where pass@k measures reach.

    Args, Returns, Raises, Assumptions:
        As of `pass_at_k`.

    Source:
        Yao et al. 2024, arXiv 2406.12045.

    Example:
        >>> pass_all_k([1, 2, 4], [4, 4, 4], 2).per_task.round(3).tolist()
        [0.0, 0.167, 1.0]
    """
    successes = counts(successes_per_task, "successes_per_task")
    attempts = counts(attempts_per_task, "attempts_per_task")
    if successes.shape == attempts.shape and np.any(successes > attempts):
        raise MalformedInput("a task has more successes than attempts")
    fails = attempts - successes if successes.shape == attempts.shape else successes
    none_fails = pass_at_k(fails, attempts_per_task, k)
    if isinstance(none_fails, Undefined):
        return none_fails
    return PassAtK(
        k=k,
        per_task=1.0 - none_fails.per_task,
        left_out=none_fails.left_out,
        single=none_fails.single,
        all_succeed=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Headroom:
    """What is left to earn, as a share of what there is between floor and ceiling."""

    ceiling: float
    strong: Estimate
    floor: Estimate

    @property
    def estimate(self) -> float:
        return (self.ceiling - self.strong.estimate) / (self.ceiling - self.floor.estimate)

    @property
    def n(self) -> int:
        return self.strong.n

    @property
    def method(self) -> str:
        return f"box of two intervals (Bonferroni): {self.strong.method}; {self.floor.method}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval; open above where the floor may reach the ceiling."""
        each = 1 - (1 - fraction(level)) / 2
        left = self.ceiling - np.array(self.strong.confidence_interval(each))
        whole_gap = self.ceiling - np.array(self.floor.confidence_interval(each))
        low, high = float(left[1]), float(left[0])
        narrow, wide = float(whole_gap[1]), float(whole_gap[0])
        if narrow <= 0 or not math.isfinite(wide + high):
            return Interval(-math.inf if low < 0 else 0.0, math.inf)
        return Interval(low / (wide if low > 0 else narrow), high / (narrow if high > 0 else wide))


def headroom(strong: Estimate, floor: Estimate, *, ceiling: float) -> Headroom | Undefined:
    """Return what the strongest probe leaves to be earned: 1 nothing is earned yet, 0 all is.

    (ceiling − strong) / (ceiling − floor); 1 less it is the normalised score.

    Args:
        strong: Mean score of the strongest probe.
        floor: Mean score to be had without looking at the task.
        ceiling: Score of a perfect episode: declared, or the oracle's.

    Returns:
        The share, unitless; above 1 where the strongest probe stays under the floor. Undefined
        where the floor reaches the ceiling.

    Raises:
        ParameterError: a ceiling that is no finite number.

    Example:
        >>> from metrics.bootstrap import mean_score
        >>> strong = mean_score([0, 1, 1, 0], bounds=(0, 1))
        >>> headroom(strong, mean_score([0, 0, 0, 0], bounds=(0, 1)), ceiling=1.0).estimate
        0.5
    """
    strong, floor = known(strong, "strong"), known(floor, "floor")
    if not math.isfinite(number(ceiling, "ceiling")):
        raise ParameterError(f"ceiling: need a finite number, got {ceiling}")
    if floor.estimate >= ceiling:
        return Undefined(reason="the floor reaches the ceiling", n=floor.n)
    return Headroom(ceiling=ceiling, strong=strong, floor=floor)
