"""`random`: a uniformly drawn legal action at every step."""

import numpy as np

from probes.actions.hints import Hints
from probes.actions.offer import space_of
from probes.actions.sample import sample
from probes.actions.space import Space
from probes.base import Json, Lane, Rung, Seen


class Uniform:
    """Draws from all that is legal.

    Looks at observations and errors only for what is legal (listed moves, ranges, words to
    write), never for what is good; rewards it does not see.
    """

    name = "random"
    version = "1"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Drawing":
        return _Drawing(space_of(lane), rng)


class _Drawing:
    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self._space = space
        self._rng = rng
        self._hints = Hints()

    def act(self, seen: Seen) -> Json:
        """Return a legal action, as far as is known."""
        self._hints = self._hints.seen(seen)
        return sample(self._hints.narrow(self._space), self._rng)
