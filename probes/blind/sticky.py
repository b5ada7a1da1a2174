"""`sticky`: a random action, and then mostly the same again."""

import numpy as np

from probes.actions.fit import fits
from probes.actions.legal import Legal
from probes.base import Json, Lane, Rung, Seen

AGAIN = 0.8
"""Chance that an action is repeated: five times in a row on average."""


class Sticky:
    """Draws from all that is legal and repeats what it drew with a chance of `AGAIN`.

    It goes further in one direction than `random`, which comes back on its own steps. What was
    refused, or is not legal now, is not repeated.
    """

    name = "sticky"
    version = "1"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Sticking":
        return _Sticking(Legal(lane, rng), rng)


class _Sticking:
    def __init__(self, legal: Legal, rng: np.random.Generator) -> None:
        self._legal = legal
        self._rng = rng
        self._last: tuple[Json] | None = None

    def act(self, seen: Seen) -> Json:
        """Return the last action or a new one."""
        self._legal.look(seen)
        again = bool(self._rng.random() < AGAIN)
        if self._last is not None and again and self._may_repeat(self._last[0]):
            return self._legal.note(self._last[0])
        self._last = (self._legal.draw(),)
        return self._last[0]

    def _may_repeat(self, action: Json) -> bool:
        space = self._legal.space
        return not self._legal.is_refused(action) and fits(space, space.root, action)
