"""What one episode of a search did and saw."""

from dataclasses import dataclass, replace
from typing import Literal

from probes.actions.space import identity
from probes.base import Json
from probes.search.cells import Leaves


@dataclass(frozen=True, slots=True)
class Taken:
    """One action and what it brought."""

    action: Json
    mark: str
    """Text that equal actions share."""
    reward: float = 0.0
    refused: bool = False


class Log:
    """An episode as it goes on."""

    def __init__(self) -> None:
        self.taken: list[Taken] = []
        self.seen: list[Leaves] = []
        """What was seen before each action."""
        self.whole = False
        """It came to its end, and was scored."""

    @property
    def actions(self) -> tuple[Json, ...]:
        return tuple(one.action for one in self.taken)

    def see(self, leaves: Leaves, reward: float | None, *, refused: bool) -> None:
        """Take in what came of the last action."""
        self.seen.append(leaves)
        if self.taken:
            self.taken[-1] = replace(self.taken[-1], reward=reward or 0.0, refused=refused)

    def take(self, action: Json) -> Json:
        """Note an action, and return it."""
        self.taken.append(Taken(action, identity(action)))
        return action

    def close(self, reward: float | None, *, whole: bool) -> None:
        """Take in what the last action brought, after which nothing was seen."""
        self.whole = whole
        if self.taken and len(self.taken) == len(self.seen):
            self.taken[-1] = replace(self.taken[-1], reward=reward or 0.0)

    def score(self, rule: Literal["sum", "last", "max"]) -> float:
        """Return the score of the rewards."""
        rewards = [one.reward for one in self.taken] or [0.0]
        return {"sum": sum(rewards), "last": rewards[-1], "max": max(rewards)}[rule]
