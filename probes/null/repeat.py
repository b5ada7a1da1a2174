"""`repeat`: what it did last, for as long as something comes of it."""

import numpy as np

from probes.actions.fit import fits
from probes.actions.legal import Legal
from probes.base import Json, Lane, Rung, Seen


class Repeat:
    """Does again what it did last, until nothing changes any more.

    It looks at the observation only for whether it is the one before: where the last action
    changed nothing, was refused or is not legal now, another is drawn.
    """

    name = "repeat"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Going":
        return _Going(Legal(lane, rng))


class _Going:
    def __init__(self, legal: Legal) -> None:
        self._legal = legal
        self._last: tuple[Json, Json] | None = None
        """The last action, and what was seen before it."""

    def act(self, seen: Seen) -> Json:
        """Return the last action, or another one where nothing came of it."""
        self._legal.look(seen)
        action = self._next(seen)
        self._last = action, seen.observation
        return action

    def _next(self, seen: Seen) -> Json:
        if self._last is None:
            return self._legal.draw()
        action, before = self._last
        space = self._legal.space
        stays = seen.error is not None or seen.observation == before
        if stays or self._legal.is_refused(action) or not fits(space, space.root, action):
            return self._legal.draw()
        return self._legal.note(action)
