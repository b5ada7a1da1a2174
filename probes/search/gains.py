"""What actions brought, wherever they were taken."""

import math
from collections.abc import Sequence

import numpy as np

from probes.actions.space import identity
from probes.base import Json

FEW = 5
"""Actions that are kept as the best."""
IDLE_AFTER = 4


class Stars:
    """The few actions that paid most at once, anywhere."""

    def __init__(self) -> None:
        self._best: dict[str, tuple[float, Json]] = {}
        self.most = -math.inf

    def note(self, action: Json, reward: float) -> None:
        """Take in what an action paid."""
        self.most = max(self.most, reward)
        mark = identity(action)
        if mark not in self._best or self._best[mark][0] < reward:
            self._best[mark] = reward, action
        if len(self._best) > FEW:
            del self._best[min(self._best, key=lambda one: self._best[one][0])]

    @property
    def actions(self) -> list[Json]:
        """Return them, the best first."""
        return [action for _, action in sorted(self._best.values(), key=lambda one: -one[0])]


class Gains:
    """What each action brought, wherever it was taken: which to try first where one knows less."""

    def __init__(self) -> None:
        self._sums: dict[str, float] = {}
        self._moved: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._all = 0.0
        self._n = 0
        self.moves: dict[str, tuple[int, int]] = {}
        """Places where an action was taken, and where it led to one of its own."""
        self._low = math.inf
        self._high = -math.inf

    def note(self, mark: str, gain: float, *, moved: bool) -> None:
        """Take in that after an action so much more was earned, and if it led to a new place."""
        self._moved[mark] = self._moved.get(mark, 0) + moved
        self._sums[mark] = self._sums.get(mark, 0.0) + gain
        self._counts[mark] = self._counts.get(mark, 0) + 1
        self._all += gain
        self._n += 1
        self._low, self._high = min(self._low, gain), max(self._high, gain)

    def worth(self, mark: str) -> float:
        """Return how promising an action is.

        From what it brought, how seldom it was taken, and how often it led to a new place.
        """
        if not self._n:
            return 0.0
        spread = (self._high - self._low) or 1.0
        n = self._counts.get(mark, 0)
        prior = self._all / self._n
        mean = (self._sums.get(mark, 0.0) + prior) / (n + 1)
        moved = (self._moved.get(mark, 0) + 1) / (n + 1)
        return (mean - self._low) / spread + math.sqrt(0.5 / (n + 1)) + moved

    def is_idle(self, mark: str) -> bool:
        """Say whether an action was taken several times, led nowhere and earned nothing more.

        What it earned is not known where no episode that took it was scored.
        """
        n = self._counts.get(mark, 0)
        places, own = self.moves.get(mark, (0, 0))
        stays = n >= IDLE_AFTER and 10 * self._moved.get(mark, 0) <= n
        stays = stays or (places >= IDLE_AFTER - 1 and 10 * own <= places)
        return stays and self._sums.get(mark, 0.0) / max(n, 1) <= self._all / max(self._n, 1)

    def best(self, marks: Sequence[str], rng: np.random.Generator) -> str:
        """Return the most promising of some actions; of equal ones the first, or any of them."""
        worths = np.array([self.worth(mark) for mark in marks])
        equal = np.flatnonzero(worths >= worths.max() - 1e-12)
        return marks[int(equal[0] if rng.random() < 0.5 else rng.choice(equal))]
