"""The one number that is meant to tell before training what training will gain."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

from metrics.bootstrap import MeanScore, mean_score
from metrics.errors import ParameterError
from metrics.inputs import Floats, finite_numbers, range_remark, score_bounds, within_bounds
from metrics.results import Difference, Interval, Undefined

LAST: Final = 5
"""What a learner earns in the end is the mean of the last such part of its episodes."""
HOPE: Final = 0.3
"""Weight of what was seen to be there to earn, and was not risen to."""
FEWEST: Final = 8
"""Episodes of a learner that a line is laid through, and solutions that decide anything."""

Form: TypeAlias = Literal[
    "nothing declared", "solutions declared", "solutions are not paid", "solutions are beaten"
]
"""What the value rests on beside learner and random play. The last two say that the reward is not
what is meant, and that the value is therefore zero: declared solutions do not surely earn more than
random play, or the learner surely earns more than they do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingValue:
    """How far a small learner rose, and what else there was to earn, as a share of the range."""

    rise: float
    """Of a straight line through the learner's scores, from its first episode to its last, over
    the width of the range."""
    error: float
    """Standard error of that."""
    episodes: int
    """Of the learner."""
    seen: float
    """The most that an episode earned, less the mean of random play, over the width."""
    form: Form
    bounds: tuple[float, float]

    @property
    def estimate(self) -> float:
        return self._value(self.rise)

    @property
    def n(self) -> int:
        """Episodes of the learner."""
        return self.episodes

    @property
    def method(self) -> str:
        return f"least squares, Student t{range_remark(self.bounds)}; {self.form}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval of the value, not of the gain that it foretells.

        It is that of the rise; its lower end counts nothing that was only seen.
        """
        reach = float(student.ppf(0.5 + level / 2, self.episodes - 2)) * self.error
        low = self._value(self.rise - reach, hope=0.0)
        return Interval(low, max(low, self._value(self.rise + reach)))

    def _value(self, rise: float, hope: float = HOPE) -> float:
        if self.form in ("solutions are not paid", "solutions are beaten"):
            return 0.0
        share = min(1.0, max(0.0, rise))
        return share + (1 - share) * hope * min(1.0, max(0.0, self.seen))


def training_value(  # noqa: PLR0913  (two of them are labels of others)
    learned: ArrayLike,
    random: ArrayLike,
    random_tasks: Sequence[Hashable] | ArrayLike,
    *,
    bounds: tuple[float, float],
    solutions: ArrayLike = (),
    solution_tasks: Sequence[Hashable] | ArrayLike = (),
) -> TrainingValue | Undefined:
    """Return which share of the range of scores a learner is expected to gain.

    A straight line is laid through the scores of a small learner; the value is its rise, and three
    tenths of what is left to the best score that learner or random play met. It is zero where
    declared solutions show that the reward is not what is meant, see `Form`.

    Args:
        learned: Scores of the episodes that a small learner learned from, in the order of play,
            shape `(n,)`; best with a start of its own for each.
        random: Scores of random play, shape `(m,)`.
        random_tasks: Label of each of these episodes' task, shape `(m,)`.
        bounds: Range of a score.
        solutions: Scores of walks of the author's solutions, shape `(k,)`; of fewer than eight
            tasks they decide nothing.
        solution_tasks: Label of each of these walks' task, shape `(k,)`.

    Returns:
        The share, unitless, in [0, 1]. Undefined where fewer than eight episodes of the learner
        were scored, or none of random play.

    Raises:
        MalformedInput: a score is no finite number or outside the bounds, or labels of another
            length.
        ParameterError: bounds that are not finite.

    Assumptions:
        Scores lie about the line independently and alike. Episodes of random play and solutions
        are clusters by task. Without solutions the reward is taken to say what is wanted: where
        it pays for something else a learner gains reward and not what was meant.

    Source:
        Chosen by leave-one-family-out on the environments of `benchmarks/learning`.

    Example:
        >>> scores = [0, 0, 1, 0] * 20 + [1, 0, 1, 1] * 20
        >>> found = training_value(scores, [0, 1, 0, 0], list("aabb"), bounds=(0, 1))
        >>> round(found.rise, 2), found.seen, round(found.estimate, 2)
        (0.75, 0.75, 0.81)
        >>> solved = dict(solutions=[0] * 8, solution_tasks=range(8))
        >>> unpaid = training_value(scores, [0, 1, 0, 0], list("aabb"), bounds=(0, 1), **solved)
        >>> unpaid.estimate, unpaid.form
        (0.0, 'solutions are not paid')
    """
    limits = score_bounds(bounds)
    width = limits[1] - limits[0]
    if not np.isfinite(width):
        raise ParameterError("bounds: need finite ends")
    every = finite_numbers(learned, "learned")
    within_bounds(every, limits)
    chance = mean_score(random, random_tasks, bounds=bounds)
    solved = mean_score(solutions, solution_tasks, bounds=bounds)
    if every.size < FEWEST:
        return Undefined(
            reason=f"{every.size} episodes of a learner were scored, {FEWEST} are needed",
            n=int(every.size),
        )
    if isinstance(chance, Undefined):
        return Undefined(reason="no episode of random play was scored", n=0)
    rise, error = _line(every)
    best = max(float(every.max()), float(finite_numbers(random).max()))
    return TrainingValue(
        rise=rise / width,
        error=error / width,
        episodes=int(every.size),
        seen=(best - chance.estimate) / width,
        form=_form(every, chance, solved, bounds),
        bounds=limits,
    )


def _line(scores: Floats) -> tuple[float, float]:
    """Return how far a line by least squares rises from first to last, and the error of that."""
    away = np.linspace(-0.5, 0.5, scores.size)
    spread = float(away @ away)
    rise = float(away @ scores) / spread
    misfit = scores - scores.mean() - rise * away
    return rise, math.sqrt(float(misfit @ misfit) / (scores.size - 2) / spread)


def _form(
    learned: Floats, chance: MeanScore, solved: MeanScore | Undefined, bounds: tuple[float, float]
) -> Form:
    """Return what solutions say of the reward."""
    if isinstance(solved, Undefined) or solved.n < FEWEST:
        return "nothing declared"
    if Difference(of=solved, less=chance).confidence_interval().low <= 0:
        return "solutions are not paid"
    end = mean_score(learned[-max(1, learned.size // LAST) :], bounds=bounds)
    assert not isinstance(end, Undefined)
    if Difference(of=end, less=solved).confidence_interval().low > 0:
        return "solutions are beaten"
    return "solutions declared"
