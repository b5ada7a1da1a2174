"""`noop`: does as little as the environment allows."""

import numpy as np

from probes.actions.fit import fits
from probes.actions.idle import idle_action
from probes.actions.legal import Legal
from probes.base import Json, Lane, Rung, Seen, Unplayable


class Noop:
    """Plays the action that does nothing.

    The one the author declares, come what may; else the one that `idle_action` finds. Where
    that is not among the moves that are legal now, the idlest of those; where the server refuses
    it, a legal one is drawn instead.
    """

    name = "noop"
    version = "2"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Declared | _Idle":
        return _Declared(lane.noop) if lane.noop is not None else _Idle(Legal(lane, rng))


class _Declared:
    def __init__(self, action: Json) -> None:
        self._action = action

    def act(self, seen: Seen) -> Json:
        """Return the declared action."""
        return self._action


class _Idle:
    def __init__(self, legal: Legal) -> None:
        self._legal = legal
        self._kept: tuple[Json] | None = None

    def act(self, seen: Seen) -> Json:
        """Return the action that does nothing, another one where it is not legal or refused."""
        self._legal.look(seen)
        if self._kept is None or not self._is_legal(self._kept[0]):
            self._kept = (self._idlest(),)
        return self._legal.note(self._kept[0])

    def _idlest(self) -> Json:
        try:
            action = idle_action(self._legal.space)
        except Unplayable:
            return self._legal.draw()
        return self._legal.draw() if self._legal.is_refused(action) else action

    def _is_legal(self, action: Json) -> bool:
        space = self._legal.space
        return not self._legal.is_refused(action) and fits(space, space.root, action)
