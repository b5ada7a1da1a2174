"""How an episode's rewards become one outcome."""

import math
from collections.abc import Sequence
from typing import Literal

from validator.client.reading import Missing, NotANumber, Null, Number, Reward
from validator.episodes import Absent, Outcome, Scored

Rule = Literal["sum", "last", "max"]

DUST = 1e-9
"""Rounding error of added rewards, as a share of the bound they are held against, 1 at least."""


def at_least(bound: float) -> float:
    """Return the least score that reaches a bound, rounding errors aside: ten times 0.1 is 1."""
    return bound - DUST * max(1.0, abs(bound))


def at_most(bound: float) -> float:
    """Return the greatest score that does not pass a bound, rounding errors aside."""
    return bound + DUST * max(1.0, abs(bound))


def score_rewards(rewards: Sequence[Reward], *, rule: Rule, terminal: bool) -> Outcome:
    """Return the score of a finished episode, or why there is none.

    Steps without a number are left out, never counted as zero: an episode none of whose steps
    paid a number is absent, and so is one whose last step paid none where the author says that
    only the last one pays (`terminal`).
    """
    numbers = [reward.value for reward in rewards if isinstance(reward, Number)]
    if not rewards:
        return Absent("the episode ended before its first step")
    if terminal and not isinstance(rewards[-1], Number):
        return Absent(f"the last step paid no number: {spell(rewards[-1])}")
    if not numbers:
        return Absent(f"no step paid a number: {spell(rewards[-1])}")
    match rule:
        case "sum":
            return Scored(_total(numbers))
        case "last":
            return Scored(float(numbers[-1]))
        case "max":
            return Scored(float(max(numbers)))


def _total(numbers: Sequence[float]) -> float:
    try:
        return math.fsum(numbers)
    except OverflowError:
        return float(sum(numbers))


def spell(reward: Reward) -> str:
    """Return what stood where the reward should be, in words."""
    match reward:
        case Number(value=value):
            return f"{value!r}"
        case Null():
            return "null"
        case Missing():
            return "no reward key"
        case NotANumber(found=found):
            return found
