"""Search over lists of actions, for a world that does not repeat."""

import numpy as np

from probes.base import Json

KEPT = 20
"""Lists of actions that are kept, the best ones."""


class OpenLoop:
    """Draws lists of actions, changes the ends of good ones, and plays good ones again."""

    def __init__(self) -> None:
        self._scores: dict[str, tuple[tuple[Json, ...], list[float]]] = {}

    def note(self, actions: tuple[Json, ...], score: float | None) -> None:
        """Take in what a list earned; None where it did not come to an end."""
        if score is None:
            return
        self._scores.setdefault(repr(actions), (actions, []))[1].append(score)
        if len(self._scores) > KEPT:
            del self._scores[min(self._scores, key=self._worth)]

    def next(self, rng: np.random.Generator) -> tuple[Json, ...]:
        """Return the list to begin with; what follows it is drawn."""
        die = rng.random()
        if not self._scores or die < 0.4:
            return ()
        actions, _ = self._scores[max(self._scores, key=self._worth)]
        if die < 0.7:
            return actions
        return actions[: int(rng.integers(len(actions) + 1))]

    def _worth(self, key: str) -> float:
        """Return the mean score of a list, drawn to the mean of all while it was seldom played."""
        every = [score for _, scores in self._scores.values() for score in scores]
        prior = sum(every) / len(every)
        _, scores = self._scores[key]
        return (sum(scores) + prior) / (len(scores) + 1)
