"""`reward_search`: goes where the pay is, and reads nothing else."""

import numpy as np

from probes.actions.enumerate import enumerate_actions
from probes.actions.hints import is_refused
from probes.actions.legal import Legal
from probes.actions.space import identity
from probes.base import Json, Lane, Rung, Seen

ARMS = 12
"""Actions that it chooses among."""
EXPLORE = 0.1
"""Chance of trying any of them once each was tried."""


class RewardSearch:
    """Tries a few actions once each within an episode, then repeats the one that paid most.

    A bandit over constant actions. What it earns can be had without reading the task, by trying:
    that may be a hole in the reward, and it may be the task.
    """

    name = "reward_search"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Bandit":
        return _Bandit(Legal(lane, rng), rng)


class _Bandit:
    def __init__(self, legal: Legal, rng: np.random.Generator) -> None:
        self._rng = rng
        listed = enumerate_actions(legal.space, ARMS + 1)
        drawn = [legal.draw() for _ in range(4 * ARMS)]
        arms = list(listed.actions) if listed.whole and len(listed.actions) <= ARMS else drawn
        once = list({identity(action): action for action in arms}.values())[:ARMS]
        self._arms = [once[int(place)] for place in rng.permutation(len(once))]
        self._paid = np.zeros(len(self._arms))
        self._tried = np.zeros(len(self._arms))
        self._last = -1

    def act(self, seen: Seen) -> Json:
        """Return the action that paid most on average, one that was not tried yet before that."""
        if self._last >= 0:
            self._tried[self._last] += 1
            if seen.reward is not None and not is_refused(seen):
                self._paid[self._last] += seen.reward
        self._last = self._choose()
        return self._arms[self._last]

    def _choose(self) -> int:
        untried = np.flatnonzero(self._tried == 0)
        if untried.size:
            return int(untried[0])
        if self._rng.random() < EXPLORE:
            return int(self._rng.integers(len(self._arms)))
        return int(np.argmax(self._paid / self._tried))
