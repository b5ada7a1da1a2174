"""Bandits: which arm pays, and on what that depends."""

import random
from typing import Any

from openenv.core.env_server import Action, Observation

from .base import World, action_of


class Situation(Observation):
    context: str
    features: list[float]
    pulls_left: int


class Bandit(World):
    """One arm is right in each context and pays with chance `best`, the others with `other`.

    With `linear` the right arm is the one whose fixed weights suit the features shown best. With
    `hidden` it is drawn anew each episode and not told. With `bonus` the first arm always pays,
    and is never right.
    """

    Seen = Situation

    def __init__(
        self,
        *,
        arms: int,
        contexts: int = 1,
        best: float = 1.0,
        other: float = 0.0,
        linear: int = 0,
        hidden: bool = False,
        bonus: bool = False,
        **rest: Any,
    ) -> None:
        super().__init__(**rest)
        fixed = random.Random(f"bandit {arms} {contexts} {linear}")
        self._arms, self._contexts = arms, contexts
        self._best, self._other = best, other
        self._hidden, self._bonus = hidden, bonus
        self._right = [fixed.randrange(int(bonus), arms) for _ in range(contexts)]
        self._weights = [[fixed.gauss(0, 1) for _ in range(linear)] for _ in range(arms)]
        self._all_alike = best == other

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return action_of(arm=tuple(f"arm_{number}" for number in range(told["arms"])))

    def begin(self) -> None:
        self._pulls = self._hits = 0
        self._secret = self.draw.randrange(self._arms)
        self._next()

    def _next(self) -> None:
        self._context = self.draw.randrange(self._contexts)
        self._features = [round(self.draw.gauss(0, 1), 3) for _ in self._weights[0]]

    def _right_arm(self) -> int:
        if self._hidden:
            return self._secret
        if self._features:
            fits = [
                sum(w * x for w, x in zip(row, self._features, strict=True))
                for row in self._weights
            ]
            return fits.index(max(fits))
        return self._right[self._context]

    def act(self, action: Any) -> tuple[float, bool]:
        arm = int(action.arm.removeprefix("arm_"))
        right = arm == self._right_arm()
        paid = self.draw.random() < (self._best if right else self._other)
        self._pulls += 1
        self._hits += paid if self._all_alike else right
        self._next()
        return float(paid or (self._bonus and arm == 0)), False

    def seen(self) -> dict[str, Any]:
        return {
            "context": f"c{self._context}",
            "features": self._features,
            "pulls_left": self.horizon - self._pulls,
        }

    def solution(self) -> dict[str, Any]:
        return {"arm": f"arm_{self._right_arm()}"}

    def success(self) -> float:
        return self._hits / max(1, self._pulls)
