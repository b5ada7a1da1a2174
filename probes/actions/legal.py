"""What one agent knows of its legal actions, in the course of one episode."""

from collections.abc import Sequence

import numpy as np

from probes.actions.hints import Hints, is_refused
from probes.actions.offer import space_of
from probes.actions.sample import IGNORED, sample
from probes.actions.space import (
    Anything,
    Array,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
    identity,
)
from probes.actions.write import writing
from probes.base import Json, Lane, Seen, Unplayable

TRIES = 20
"""Draws to get an action that was not refused just now."""
MOST_REFUSED = 100


class Legal:
    """Legal actions as far as schema, observations and errors have told. Rewards it never sees.

    Raises:
        Unplayable: nothing is legal, or nothing is said of what is.
    """

    def __init__(self, lane: Lane, rng: np.random.Generator) -> None:
        self._all = space_of(lane)
        self._rng = rng
        self._hints = Hints(wants_text=leaves_open(self._all))
        self._now = self._hints.narrow(self._all)
        self._refused: set[str] = set()
        self._last: Json = None

    @property
    def space(self) -> Space:
        """What is legal now."""
        return self._now

    def look(self, seen: Seen) -> None:
        """Learn from what came back."""
        if not is_refused(seen):
            self._refused.clear()
        elif len(self._refused) < MOST_REFUSED:
            self._refused.add(identity(self._last))
        hints = self._hints.seen(seen)
        if hints != self._hints:
            self._now = hints.narrow(self._all)
        self._hints = hints

    def draw(self) -> Json:
        """Return a legal action, if possible none refused since the last accepted one.

        Raises:
            Unplayable: none was found.
        """
        action = self._sampled()
        for _ in range(TRIES if self._refused else 0):
            if identity(action) not in self._refused:
                break
            action = self._sampled()
        return self.note(action)

    def write(self, texts: Sequence[str], *, listed: Sequence[str] = ()) -> Json:
        """Return a legal action that writes one of `texts` wherever it takes a free text.

        See `writing`; what else is in the action is drawn.

        Raises:
            Unplayable: no action takes a free text, or none of these.
        """
        written = writing(self._all, texts, listed=listed)
        try:
            return self.note(sample(self._hints.narrow(written), self._rng))
        except Unplayable:
            return self.note(sample(written, self._rng))

    def note(self, action: Json) -> Json:
        """Remember an action as the last one, and return it."""
        self._last = action
        return action

    def is_refused(self, action: Json) -> bool:
        """Say whether an action was refused since the last accepted one."""
        return bool(self._refused) and identity(action) in self._refused

    def _sampled(self) -> Json:
        try:
            return sample(self._now, self._rng)
        except Unplayable:
            if self._now is self._all:
                raise
            return sample(self._all, self._rng)


def leaves_open(space: Space) -> bool:
    """Say whether a text could tell more of what is legal than the schema does."""
    return any(_is_open(node) for node in (space.root, *space.named.values()))


def _is_open(node: Node) -> bool:
    match node:
        case Text(patterns=patterns):
            return not patterns
        case Whole(low=low, high=high) | Real(low=low, high=high):
            return low is None or high is None
        case Array(prefix=prefix, rest=rest, most=most):
            return most is None or any(map(_is_open, (*prefix, rest)))
        case Object(fields=fields):
            return any(_is_open(one.node) for one in fields if one.name not in IGNORED)
        case Union(options=options):
            return any(map(_is_open, options))
        case Anything():
            return True
        case _:
            return False
