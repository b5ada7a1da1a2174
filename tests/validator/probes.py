"""Probes that are simple enough to foresee."""

import numpy as np

from probes.base import Json, Lane, Rung, Seen, Unplayable


class Steady:
    """Plays one move for ever."""

    name = "noop"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "Steady":
        return self

    def act(self, seen: Seen) -> Json:
        return {"move": 0}


class Dice:
    """Plays one of three moves."""

    name = "random"
    version = "1"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Dice":
        return _Dice(rng)


class _Dice:
    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def act(self, seen: Seen) -> Json:
        return {"move": int(self._rng.integers(3))}


class Broken(Steady):
    """Breaks at its third step."""

    name = "broken"

    def act(self, seen: Seen) -> Json:
        return {"move": [0, 0][seen.step]}


class Unwritable(Broken):
    """Answers its third sight with what JSON cannot hold."""

    def act(self, seen: Seen) -> Json:
        return {"move": 0 if seen.step < 2 else {1, 2}}  # type: ignore[dict-item]


class Helpless(Steady):
    """Never has an action to offer."""

    name = "helpless"

    def act(self, seen: Seen) -> Json:
        raise Unplayable("no action fits")
