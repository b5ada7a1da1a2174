"""`constant`: one legal action, the same at every step of an episode."""

import numpy as np

from probes.actions.hints import Hints
from probes.actions.offer import space_of
from probes.actions.sample import sample
from probes.actions.space import Space
from probes.base import Json, Lane, Rung, Seen


class Constant:
    """Draws one action as an episode begins and repeats it.

    Another is drawn only while the server refuses the last one. Episodes draw differently, so
    that their mean is what a constant earns, not what one lucky constant earns.
    """

    name = "constant"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Repeating":
        return _Repeating(space_of(lane), rng)


class _Repeating:
    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self._space = space
        self._rng = rng
        self._hints = Hints()
        self._kept: tuple[Json] | None = None

    def act(self, seen: Seen) -> Json:
        """Return the episode's action, a new one where the last was refused."""
        if self._kept is None or seen.error is not None:
            self._hints = self._hints.seen(seen)
            self._kept = (sample(self._hints.narrow(self._space), self._rng),)
        return self._kept[0]
