"""`random`: a uniformly drawn legal action at every step."""

import numpy as np

from probes.actions.legal import Legal
from probes.base import Json, Lane, Rung, Seen


class Uniform:
    """Draws from all that is legal.

    Looks at observations and errors only for what is legal (listed moves, ranges, words to
    write), never for what is good; rewards it does not see.
    """

    name = "random"
    version = "2"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Drawing":
        return _Drawing(Legal(lane, rng))


class _Drawing:
    def __init__(self, legal: Legal) -> None:
        self._legal = legal

    def act(self, seen: Seen) -> Json:
        """Return a legal action, as far as is known."""
        self._legal.look(seen)
        return self._legal.draw()
