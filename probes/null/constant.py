"""`constant`: one legal action, the same at every step of an episode."""

import numpy as np

from probes.actions.hints import is_refused
from probes.actions.legal import Legal
from probes.base import Json, Lane, Rung, Seen


class Constant:
    """Draws one action as an episode begins and repeats it.

    Another is drawn only while the server refuses the last one. Episodes draw differently, so
    that their mean is what a constant earns, not what one lucky constant earns.
    """

    name = "constant"
    version = "2"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Repeating":
        return _Repeating(Legal(lane, rng))


class _Repeating:
    def __init__(self, legal: Legal) -> None:
        self._legal = legal
        self._kept: tuple[Json] | None = None

    def act(self, seen: Seen) -> Json:
        """Return the episode's action, a new one where the last was refused."""
        if self._kept is None or is_refused(seen):
            self._legal.look(seen)
            self._kept = (self._legal.draw(),)
        return self._kept[0]
