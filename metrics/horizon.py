"""How much depends on early choices and on the policy, from random play alone."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.errors import ParameterError
from metrics.inputs import (
    Codes,
    Floats,
    finite_numbers,
    fraction,
    group_codes,
    table,
    unit_scaled,
    whole,
)
from metrics.results import Interval, Significance, Undefined


def first_action_effect(
    returns: ArrayLike,
    starts: Sequence[Hashable] | ArrayLike,
    first_actions: Sequence[Hashable] | ArrayLike,
    *,
    rng: np.random.Generator,
    resamples: int = 999,
) -> Significance | Undefined:
    """Return whether the first action already matters to what random play earns after it.

    The share of the variance of returns within starts that lies between first actions, against
    that share when actions are dealt out at random within each start. Where it matters, acting
    greedily on the random policy's values gets somewhere, and learning tends to be easy.

    Args:
        returns: Return of each random episode, shape `(n,)`.
        starts: Label of its start, shape `(n,)`.
        first_actions: Label of its first action, shape `(n,)`.
        rng: Generator of the random dealings.
        resamples: Random dealings, at least 99.

    Returns:
        The test; its statistic is the share, unitless, in [0, 1]. Undefined where no start has
        two actions and returns that vary.

    Raises:
        MalformedInput: a return is no finite number, or labels of another length.

    Assumptions:
        Episodes are independent, and after the first action play is the same random policy's.

    Source:
        The k = 1 case of the effective horizon (Laidlaw, Russell, Dragan 2023,
        arXiv 2304.09853); permutation test after Phipson and Smyth 2010.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> found = first_action_effect([0, 0, 0, 0, 1, 1, 1, 1], [0] * 8, [0, 1] * 4, rng=rng)
        >>> found.statistic, found.p_value
        (0.0, 1.0)
    """
    found = finite_numbers(returns, "returns")
    start = group_codes(starts, found.size, "starts")
    action = group_codes(first_actions, found.size, "first_actions")
    whole(resamples, "resamples", least=99)
    kept = _informative(found, start, action)
    if not kept.any():
        return Undefined(
            reason="no start has returns that vary over two first actions", n=found.size
        )
    scaled = unit_scaled(found[kept])[0]
    start = group_codes(start[kept], scaled.size)
    cell = group_codes(start * (int(action.max()) + 1) + action[kept], scaled.size)
    left = scaled - (np.bincount(start, weights=scaled) / np.bincount(start))[start]
    sizes, total = np.bincount(cell), float(np.sum(left**2))

    def share(values: Floats) -> float:
        return float(np.sum(np.bincount(cell, weights=values) ** 2 / sizes)) / total

    order = np.argsort(start, kind="stable")
    seen, reached = share(left), 0
    for _ in range(resamples):
        dealt = np.empty_like(left)
        dealt[order] = left[np.lexsort((rng.random(left.size), start))]
        reached += share(dealt) >= seen - 1e-12
    return Significance(
        p_value=(reached + 1) / (resamples + 1),
        statistic=min(1.0, max(0.0, seen)),
        n=scaled.size,
        method="permutation of first actions within starts",
    )


def _informative(returns: Floats, start: Codes, action: Codes) -> np.ndarray:
    """Return which episodes are of a start with two actions and returns that vary."""
    if not returns.size:
        return np.zeros(0, dtype=bool)
    starts = int(start.max()) + 1
    varied = []
    for values in (returns, action.astype(np.float64)):
        low, high = np.full(starts, np.inf), np.full(starts, -np.inf)
        np.minimum.at(low, start, values)
        np.maximum.at(high, start, values)
        varied.append(low < high)
    return np.asarray((varied[0] & varied[1])[start])


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInformation:
    """How much an episode's return tells of the random policy that earned it."""

    bits: float
    """Less what chance alone gives; may fall below zero."""
    most: float
    """What it is at most, in bits."""
    significance: Significance

    @property
    def estimate(self) -> float:
        return self.bits

    @property
    def n(self) -> int:
        """Number of returns."""
        return self.significance.n

    @property
    def method(self) -> str:
        return "none: information of binned returns has a test and no interval that holds"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return everything it may be; `significance` says whether it is above chance."""
        fraction(level)
        return Interval(0.0, self.most)


def policy_information_capacity(
    returns: ArrayLike, *, rng: np.random.Generator, bins: int = 10, resamples: int = 199
) -> PolicyInformation | Undefined:
    """Return the mutual information of policy parameters and return, over random policies.

    H(R) − mean H(R | policy), from returns sorted into bins, less the mean of the same when
    episodes are dealt to policies at random, which is what few episodes give by chance.

    It has been found to order some environments by difficulty and others not (it called two
    robot links easier than one, 2602.18856): a description beside others, never a gate.

    Args:
        returns: Shape `(policies, episodes)`.
        rng: Generator of the random dealings.
        bins: Of equal width over the range of returns.
        resamples: Random dealings, at least 99.

    Returns:
        The capacity in bits with its permutation test; undefined with fewer than two policies
        or two episodes each, or where returns do not vary.

    Raises:
        MalformedInput: not a table, or a return is no finite number.

    Source:
        Furuta et al. 2021, arXiv 2103.12726.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> found = policy_information_capacity([[0] * 50, [1] * 50], rng=rng)
        >>> 0.95 < found.bits < 1.0
        True
    """
    found = table(returns, "returns")
    if whole(bins, "bins") < 2:
        raise ParameterError("bins: need at least 2")
    whole(resamples, "resamples", least=99)
    flat = found.ravel()
    policies, episodes = found.shape
    if policies < 2 or episodes < 2 or flat.min() == flat.max():
        return Undefined(reason="returns do not vary over two policies", n=flat.size)
    binned = np.minimum((unit_scaled(flat)[0] * bins).astype(np.intp), bins - 1)
    policy = np.repeat(np.arange(policies), episodes)
    seen = _information(policy, binned, policies, bins)
    chance = np.array(
        [_information(policy, rng.permutation(binned), policies, bins) for _ in range(resamples)]
    )
    return PolicyInformation(
        bits=seen - float(chance.mean()),
        most=math.log2(min(policies, bins)),
        significance=Significance(
            p_value=(int(np.count_nonzero(chance >= seen - 1e-12)) + 1) / (resamples + 1),
            statistic=seen,
            n=flat.size,
            method="permutation of episodes over policies",
        ),
    )


def _information(policy: Codes, binned: Codes, policies: int, bins: int) -> float:
    joint = np.bincount(policy * bins + binned, minlength=policies * bins)
    shares = joint.reshape(policies, bins) / policy.size

    def entropy(chances: Floats) -> float:
        some = chances[chances > 0]
        return -float(np.sum(some * np.log2(some)))

    return entropy(shares.sum(axis=0)) + entropy(shares.sum(axis=1)) - entropy(shares.ravel())
