"""The one number that is meant to tell before training what training will gain."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from metrics.bootstrap import mean_score
from metrics.errors import ParameterError
from metrics.inputs import finite_numbers, range_remark, score_bounds
from metrics.results import Difference, Interval, Undefined

LAST: Final = 5
"""What a learner earns in the end is the mean of the last such part of its episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingValue:
    """How far a small learner rose above random play, as a share of the range of scores."""

    rise: Difference
    bounds: tuple[float, float]

    @property
    def estimate(self) -> float:
        return self._share(self.rise.estimate)

    @property
    def n(self) -> int:
        """Episodes of the learner's end."""
        return self.rise.of.n

    @property
    def method(self) -> str:
        return f"MOVER of Gaffke, learner less random play{range_remark(self.bounds)}"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval of the value, not of the gain that it foretells."""
        low, high = self.rise.confidence_interval(level)
        return Interval(self._share(low), self._share(high))

    def _share(self, rise: float) -> float:
        return min(1.0, max(0.0, rise / (self.bounds[1] - self.bounds[0])))


def training_value(
    learned: ArrayLike,
    random: ArrayLike,
    random_tasks: Sequence[Hashable] | ArrayLike,
    *,
    bounds: tuple[float, float],
) -> TrainingValue | Undefined:
    """Return which share of the range of scores a learner is expected to gain.

    Args:
        learned: Scores of the episodes that a small learner learned from, in the order of play,
            shape `(n,)`; the last fifth counts.
        random: Scores of random play, shape `(m,)`.
        random_tasks: Label of each of these episodes' task, shape `(m,)`.
        bounds: Range of a score.

    Returns:
        The share, unitless, in [0, 1]; zero where the learner did not rise. Undefined where
        learner or random play has no scored episode.

    Raises:
        MalformedInput: a score is no finite number or outside the bounds, or labels of another
            length.
        ParameterError: bounds that are not finite.

    Assumptions:
        Episodes of the learner's end are taken as independent draws of what it plays then, those
        of random play as clusters by task. The reward says what is wanted: where it pays for
        something else a learner gains reward and not what was meant, which this cannot tell.

    Source:
        Chosen by leave-one-family-out on the environments of `benchmarks/learning`.

    Example:
        >>> scores = [0] * 80 + [1, 1, 1, 0] * 5
        >>> training_value(scores, [0, 1, 0, 0], list("aabb"), bounds=(0, 1)).estimate
        0.5
    """
    limits = score_bounds(bounds)
    if not np.isfinite(limits[1] - limits[0]):
        raise ParameterError("bounds: need finite ends")
    every = finite_numbers(learned, "learned")
    last = every[-max(1, every.size // LAST) :]
    learner = mean_score(last, bounds=bounds)
    chance = mean_score(random, random_tasks, bounds=bounds)
    if isinstance(learner, Undefined):
        return Undefined(reason="no episode of a learner was scored", n=0)
    if isinstance(chance, Undefined):
        return Undefined(reason="no episode of random play was scored", n=0)
    return TrainingValue(rise=Difference(of=learner, less=chance), bounds=limits)
