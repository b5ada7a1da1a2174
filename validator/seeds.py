"""Gives each place in a run its own generator."""

import hashlib
import json

import numpy as np


def stream(root_seed: int, *path: str | int) -> np.random.Generator:
    """Return the generator that belongs to one place in the run.

    The same place gives the same numbers whatever ran before it, on any worker,
    so one episode can be replayed alone.
    """
    place = hashlib.sha256(json.dumps(path).encode()).digest()
    return np.random.default_rng([root_seed, int.from_bytes(place, "big")])


def start_seeds(root_seed: int, count: int) -> list[int]:
    """Return `count` different seeds for resets: 0 first, the others from 1 to 9,999 or more.

    0 is always among them because environments that test a seed for truth ignore just that one.
    The first seeds are the same for every `count`, so a larger budget extends a smaller one.
    """
    top = max(9_999, 10 * count)
    others = stream(root_seed, "seeds", top).permutation(top)[: max(0, count - 1)] + 1
    return [0, *(int(seed) for seed in others)][:count]
