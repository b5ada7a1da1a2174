"""How often repeats agree, and what n clean repeats prove."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.errors import MalformedInput
from metrics.proportions import Proportion, proportion
from metrics.results import Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayAgreement(Proportion):
    """Share of replays that agree with the episode they repeat."""

    def flake_bound(self, level: float = 0.95) -> float:
        """Return what the share of differing replays is below, at `level`.

        After n replays that all agree it is 1 − (1 − level)^(1/n): 31 % after 8, 4.95 % after
        59. It never is zero: clean replays bound a flake rate and prove no determinism.
        """
        return 1.0 - self.lower_bound(level)


def replay_agreement(agree: Sequence[bool] | ArrayLike) -> ReplayAgreement | Undefined:
    """Return the share of replays that agree with their original.

    Args:
        agree: One truth value a replay, shape `(n,)`.

    Returns:
        The share, unitless, in [0, 1], with exact bounds; undefined for no replay.

    Raises:
        MalformedInput: something other than truth values.

    Assumptions:
        Replays are independent and differ with one probability.

    Example:
        >>> found = replay_agreement([True] * 59)
        >>> found.estimate, round(found.flake_bound(0.95), 4)
        (1.0, 0.0495)
    """
    found = np.asarray(agree)
    if found.ndim != 1 or (found.size and found.dtype.kind != "b"):
        raise MalformedInput("agree: need one truth value a replay")
    share = proportion(int(np.count_nonzero(found)), found.size)
    if isinstance(share, Undefined):
        return Undefined(reason="no episode was replayed", n=0)
    return ReplayAgreement(successes=share.successes, n=share.n)
