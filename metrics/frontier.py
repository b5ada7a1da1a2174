"""What more tries promise: tasks at the edge of what a policy can do, and the best of n."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from metrics.bootstrap import MeanScore
from metrics.errors import MalformedInput, ParameterError
from metrics.inputs import (
    Floats,
    as_known,
    counts,
    finite_numbers,
    fraction,
    group_codes,
    score_bounds,
    whole,
    within_bounds,
)
from metrics.results import Interval, Undefined
from metrics.solvability import chance_of_all


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierMass:
    """Share of tasks whose success rate lies in a band, by posterior probability."""

    per_task: Floats
    """Posterior probability that the task lies in the band, shape `(tasks,)`."""
    band: tuple[float, float]
    prior: tuple[float, float]

    @property
    def estimate(self) -> float:
        return float(self.per_task.mean())

    @property
    def n(self) -> int:
        return self.per_task.size

    @property
    def method(self) -> str:
        return f"posterior under Beta{self.prior} priors"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the equal-tailed credible interval of the share among these tasks.

        Bayesian: it holds on average over tasks drawn from the prior, not for each set of
        rates, and says nothing of other tasks.
        """
        tail = (1 - fraction(level)) / 2
        chances = np.ones(1)
        for inside in self.per_task:
            chances = np.append(chances * (1 - inside), 0.0) + np.append(0.0, chances * inside)
        total = np.cumsum(chances)
        low = int(np.searchsorted(total, tail, "right"))
        high = int(np.searchsorted(total, 1 - tail, "left"))
        return Interval(low / self.n, min(1.0, high / self.n))


def frontier_mass(
    successes_per_task: ArrayLike,
    attempts_per_task: ArrayLike,
    *,
    band: tuple[float, float] = (0.05, 0.75),
    prior: tuple[float, float] = (0.5, 0.5),
) -> FrontierMass | Undefined:
    """Return the share of tasks whose success rate lies in a band.

    The sum over tasks of the posterior probability of the band, over their number; never a
    count of observed rates, which at few attempts lie in the band by chance.

    Args:
        successes_per_task: c, shape `(tasks,)`.
        attempts_per_task: n, shape `(tasks,)`; a task without attempts counts by its prior.
        band: Rates from which a learner is thought to learn.
        prior: Beta prior of a task's success rate; (1/2, 1/2) is Jeffreys'.

    Returns:
        The share, unitless, in [0, 1]; undefined without a task.

    Raises:
        MalformedInput: other lengths, or more successes than attempts.
        ParameterError: a band or prior that is none.

    Assumptions:
        Attempts at a task are independent.

    Source:
        Beta-binomial posterior (Gelman et al. 2013, "Bayesian Data Analysis", section 2.4).

    Example:
        >>> round(frontier_mass([4, 0, 8], [8, 8, 8], band=(0.2, 0.8)).estimate, 3)
        0.353
    """
    successes = counts(successes_per_task, "successes_per_task")
    attempts = counts(attempts_per_task, "attempts_per_task")
    if successes.shape != attempts.shape or np.any(successes > attempts):
        raise MalformedInput("need as many successes as attempts, none above its attempts")
    low, high = band
    if not 0 <= low < high <= 1 or not min(prior) > 0:
        raise ParameterError("need 0 <= low < high <= 1 and a positive prior")
    if not successes.size:
        return Undefined(reason="no task", n=0)
    a, b = successes + prior[0], attempts - successes + prior[1]
    inside = betainc(a, b, high) - betainc(a, b, low)
    return FrontierMass(per_task=np.clip(inside, 0.0, 1.0), band=band, prior=prior)


def best_of_n_gain(
    scores: ArrayLike,
    tasks: Sequence[Hashable] | ArrayLike,
    *,
    n: int,
    bounds: tuple[float, float] | None = None,
) -> MeanScore | Undefined:
    """Return how much the best of n episodes of a task scores above the mean one.

    Per task, over all draws of n without replacement, the mean of their maximum less the mean
    score; unbiased for every n up to the task's episodes. Then the mean over tasks.

    Args:
        scores: One a scored episode, shape `(episodes,)`.
        tasks: Label of each episode's task, same shape.
        n: Episodes to choose from, at least 2.
        bounds: Range of a score.

    Returns:
        The gain in the score's unit; undefined where no task has n episodes.

    Raises:
        MalformedInput: a score is no finite number or outside the bounds, or labels of another
            length.
        ParameterError: n below 2.

    Assumptions:
        As of `mean_score` over tasks.

    Source:
        The counting argument of Chen et al. 2021, for order statistics.

    Example:
        >>> round(best_of_n_gain([0, 1, 2], ["a"] * 3, n=2).estimate, 4)
        0.6667
    """
    found, limits = finite_numbers(scores), score_bounds(bounds)
    within_bounds(found, limits)
    codes = group_codes(tasks, found.size)
    size = whole(n, "n", least=2)
    if not found.size:
        return Undefined(reason="no episode was scored", n=0)
    episodes = np.bincount(codes)
    enough = episodes >= size
    if not enough.any():
        return Undefined(reason=f"no task has {size} scored episodes", n=episodes.size)
    order = np.lexsort((found, codes))
    place = np.arange(found.size) - np.repeat(np.cumsum(episodes) - episodes, episodes)
    ordered_codes, ordered = codes[order], found[order]
    kept = enough[ordered_codes]
    total = episodes[ordered_codes]
    # the chance that the best of `size` drawn is the one at `place`, counted from 0
    chance = chance_of_all(place[kept], total[kept] - 1, size - 1) * size / total[kept]
    best = np.bincount(ordered_codes[kept], weights=chance * ordered[kept], minlength=episodes.size)
    means = np.bincount(codes, weights=found) / episodes
    width = limits[1] - limits[0]
    return MeanScore(
        units=np.clip((best - means)[enough], 0.0, width),
        bounds=as_known(bounds, 0.0, width),
        unit="tasks",
    )
