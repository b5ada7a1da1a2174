"""`empty`: an action with nothing in it."""

import numpy as np

from probes.actions.legal import Legal
from probes.actions.sample import minimal
from probes.base import Json, Lane, Rung, Seen, Unplayable


class Empty:
    """Leaves out what may be left out.

    Empty texts, lists and objects, zeros, no optional member, the option that asks for least.
    A legal action is drawn where that one is refused.
    """

    name = "empty"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Emptying":
        return _Emptying(Legal(lane, rng))


class _Emptying:
    def __init__(self, legal: Legal) -> None:
        self._legal = legal

    def act(self, seen: Seen) -> Json:
        """Return the action with the least in it, another one where it is refused."""
        self._legal.look(seen)
        try:
            action = minimal(self._legal.space)
        except Unplayable:
            return self._legal.draw()
        return self._legal.draw() if self._legal.is_refused(action) else self._legal.note(action)
