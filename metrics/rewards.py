"""Range and shape of rewards."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.errors import MalformedInput
from metrics.inputs import Floats, counts, finite_numbers
from metrics.proportions import Proportion
from metrics.results import Undefined

Shape: TypeAlias = Literal["constant", "binary", "discrete", "continuous"]
Timing: TypeAlias = Literal["none", "single-step", "terminal", "sparse", "dense"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardShape:
    """What the rewards of some episodes look like; a description of these, no inference."""

    low: float
    high: float
    distinct: int
    """Number of different values."""
    zeros: Proportion
    """Share of rewards that are zero."""
    shape: Shape
    """One value; two; repeated values or whole numbers; else."""
    timing: Timing | None
    """None where lengths of episodes were not given. `none`: no reward but zero.
    `single-step`: no episode has two steps. `terminal`: only last steps pay. `dense`: at least
    half of the steps pay. `sparse`: else."""

    @property
    def n(self) -> int:
        """Number of rewards."""
        return self.zeros.n


def reward_shape(values: ArrayLike, lengths: ArrayLike | None = None) -> RewardShape | Undefined:
    """Return range and shape of rewards.

    Args:
        values: Rewards, shape `(n,)`: one a step, in order, episode after episode; or one an
            episode.
        lengths: Steps of each episode, shape `(episodes,)`, adding up to n.

    Returns:
        The shape; undefined where there is no reward.

    Raises:
        MalformedInput: a reward is no finite number, or lengths that do not add up.

    Example:
        >>> found = reward_shape([0, 0, 1, 0, 0, 0], [3, 3])
        >>> found.shape, found.timing, found.zeros.estimate.__round__(2)
        ('binary', 'terminal', 0.83)
    """
    found = finite_numbers(values, "values")
    steps = None if lengths is None else counts(lengths, "lengths")
    if steps is not None and int(steps.sum()) != found.size:
        raise MalformedInput(f"lengths add up to {int(steps.sum())}, there are {found.size} values")
    if not found.size:
        return Undefined(reason="no reward was paid", n=0)
    distinct = np.unique(found).size
    return RewardShape(
        low=float(found.min()),
        high=float(found.max()),
        distinct=distinct,
        zeros=Proportion(successes=int(np.count_nonzero(found == 0)), n=found.size),
        shape=_shape(found, distinct),
        timing=None if steps is None else _timing(found, steps[steps > 0]),
    )


def _shape(values: Floats, distinct: int) -> Shape:
    if distinct <= 2:
        return "constant" if distinct == 1 else "binary"
    whole = bool(np.all(values == np.floor(values)))
    return "discrete" if whole or 2 * distinct <= values.size else "continuous"


def _timing(values: Floats, steps: NDArray[np.int64]) -> Timing:
    pays = values != 0
    if not pays.any():
        return "none"
    if steps.max() == 1:
        return "single-step"
    last = np.zeros(values.size, dtype=bool)
    last[np.cumsum(steps) - 1] = True
    if not np.any(pays & ~last):
        return "terminal"
    return "dense" if 2 * np.count_nonzero(pays) >= values.size else "sparse"
