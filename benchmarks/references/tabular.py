"""Reference learner: tabular Q-learning over whole observations."""

import numpy as np
from references.reference import Reference, Training

from probes.base import Json, Lane, Seen
from probes.campaign import Result, Terms
from probes.search.cells import cell_of, leaves_of

RATE, DISCOUNT, SLIP = 0.3, 0.98, 0.1


class Tabular(Reference):
    """Tabular Q-learning (Watkins 1989) with a falling chance of a random action."""

    name = "tabular"

    def campaign(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> "_Training":
        return _Training(lane, rng, terms)


class _Training(Training):
    def __init__(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> None:
        super().__init__(lane, rng, terms)
        self._values: dict[str, dict[str, float]] = {}
        self._episodes = 0
        self._chance = 0.0
        self._learning = False
        self._last: tuple[str, str] | None = None

    def begin(self, start: str, *, learning: bool) -> "_Training":
        self._episodes += learning
        done = self._episodes / self.terms.episodes
        self._chance = max(SLIP, 1 - 1.5 * done) if learning else 0.0
        self._learning = learning
        self._last = None
        return self

    def act(self, seen: Seen) -> Json:
        """Return the action with the highest value, or a random one."""
        choices = self.choices(seen)
        cell = cell_of(leaves_of(seen.observation), frozenset())
        known = self._values.setdefault(cell, {})
        self._update(seen.reward, max(known.values(), default=0.0))
        marks = choices.all()
        if self.rng.random() < self._chance:
            mark = marks[int(self.rng.integers(len(marks)))]
        else:
            best = max(known.get(mark, 0.0) for mark in marks)
            equal = [mark for mark in marks if known.get(mark, 0.0) == best]
            mark = equal[int(self.rng.integers(len(equal)))]
        self._last = cell, mark
        return self.legal.note(choices.action(mark))

    def ended(self, result: Result) -> None:
        if result.score is not None:
            self._update(result.reward, 0.0)

    def _update(self, reward: float | None, ahead: float) -> None:
        if self._last is not None and self._learning:
            cell, mark = self._last
            old = self._values[cell].get(mark, 0.0)
            target = (reward or 0.0) + DISCOUNT * ahead
            self._values[cell][mark] = old + RATE * (target - old)
