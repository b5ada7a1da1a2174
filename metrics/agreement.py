"""How often repeats agree, and what n clean repeats prove."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.comparison import fisher_exact
from metrics.divergence import CHANNELS, Step, first_divergence
from metrics.errors import MalformedInput
from metrics.multiplicity import holm
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


def channel_agreement(
    pairs: Iterable[tuple[Sequence[Step], Sequence[Step]]], *, ignore: Set[str] = frozenset()
) -> dict[str, ReplayAgreement]:
    """Return, for each channel, the share of replays that agree in it from start to end.

    Args:
        pairs: An episode and its replay, each a list of steps as of `first_divergence`.
        ignore: Kinds of difference that do not count.

    Returns:
        By channel, those that some pair has; empty for no pair. A channel that a pair lacks on
        both sides is no trial of it.

    Example:
        >>> one = [{"observation": 1, "reward": 0.0}]
        >>> two = [{"observation": 2, "reward": 0.0}]
        >>> found = channel_agreement([(one, one), (one, two)])
        >>> {channel: share.estimate for channel, share in found.items()}
        {'observation': 0.5, 'reward': 1.0}
    """
    agree: dict[str, list[bool]] = {}
    for one, other in pairs:
        present = {channel for step in (*one, *other) for channel in step}
        for channel in present:
            here, there = _only(one, channel), _only(other, channel)
            same = first_divergence(here, there, ignore=ignore) is None
            agree.setdefault(channel, []).append(same)
    order = [*(name for name in CHANNELS if name in agree), *sorted(agree.keys() - set(CHANNELS))]
    return {name: ReplayAgreement(successes=sum(agree[name]), n=len(agree[name])) for name in order}


def _only(steps: Sequence[Step], channel: str) -> list[Step]:
    return [{channel: step[channel]} if channel in step else {} for step in steps]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionAgreement:
    """Replay agreement under one condition, beside that of fresh sessions."""

    agreement: ReplayAgreement
    p_value: float | None
    """Chance of so much less agreement than on fresh sessions were there no difference,
    adjusted for the number of conditions (Fisher exact, Holm); None for the baseline."""


def condition_agreement(
    agree: Mapping[str, Sequence[bool] | ArrayLike], *, baseline: str
) -> dict[str, ConditionAgreement] | Undefined:
    """Return how replays agree under each condition, and whether less than under the baseline.

    Args:
        agree: Truth values of the replays of each condition: fresh against fresh session, fresh
            against reused, alone against under load, first against later episode.
        baseline: The condition that the others are held against.

    Returns:
        By condition, those with replays; undefined where the baseline has none.

    Raises:
        MalformedInput: something other than truth values.

    Assumptions:
        Replays are independent.

    Example:
        >>> found = condition_agreement(
        ...     {"fresh": [True] * 20, "reused": [True] * 12 + [False] * 8}, baseline="fresh"
        ... )
        >>> round(found["reused"].p_value, 4)
        0.0016
    """
    shares = {name: replay_agreement(values) for name, values in agree.items()}
    held = shares.get(baseline)
    if held is None or isinstance(held, Undefined):
        return Undefined(reason=f"no episode was replayed under {baseline}", n=0)
    known = {name: one for name, one in shares.items() if isinstance(one, ReplayAgreement)}
    others = [name for name in known if name != baseline]
    tests = [
        fisher_exact(held.successes, held.n, known[name].successes, known[name].n)
        for name in others
    ]
    adjusted = holm([test.p_value for test in tests if not isinstance(test, Undefined)])
    p_values = dict(zip(others, adjusted.tolist(), strict=True))
    return {
        name: ConditionAgreement(agreement=share, p_value=p_values.get(name))
        for name, share in known.items()
    }
