"""How an episode's rewards become one outcome."""

from collections.abc import Sequence
from typing import Literal

from validator.client.reading import Missing, NotANumber, Null, Number, Reward
from validator.episodes import Absent, Outcome, Scored

Rule = Literal["sum", "last", "max"]


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
            return Scored(float(sum(numbers)))
        case "last":
            return Scored(float(numbers[-1]))
        case "max":
            return Scored(float(max(numbers)))


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
