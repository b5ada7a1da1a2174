"""`minimal`: the first legal action there is."""

import numpy as np

from probes.actions.enumerate import enumerate_actions
from probes.actions.legal import Legal
from probes.base import Json, Lane, Rung, Seen, Unplayable

MOST = 20
"""Actions of the listing that are tried before one is drawn."""


class Minimal:
    """Plays the first action of the listing of all: first options, lowest numbers, shortest lists.

    While the server refuses it, the next one.
    """

    name = "minimal"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_First":
        return _First(Legal(lane, rng))


class _First:
    def __init__(self, legal: Legal) -> None:
        self._legal = legal

    def act(self, seen: Seen) -> Json:
        """Return the first action that is legal and was not just refused."""
        self._legal.look(seen)
        try:
            listed = enumerate_actions(self._legal.space, MOST).actions
        except Unplayable:
            listed = ()
        for action in listed:
            if not self._legal.is_refused(action):
                return self._legal.note(action)
        return self._legal.draw()
