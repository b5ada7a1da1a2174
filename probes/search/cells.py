"""What of an observation says where one is: stable leaves, without ids and clocks."""

import hashlib
import math
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from probes.base import Json

Leaves: TypeAlias = Mapping[str, Json]
"""Value of each leaf of an observation, by its path."""

MOST_LEAVES = 500
DEEPEST = 12
SHORTEST_ID = 6
LEAST_TIME = 100_000
LONGEST = 2_000
"""Characters of a text that are kept as they are; of a longer one its hash."""


def leaves_of(observation: Json) -> Leaves:
    """Return the leaves of an observation, as many as there is room for."""
    return dict(islice(_leaves(observation, "", 0), MOST_LEAVES))


def _leaves(value: Json, path: str, depth: int) -> Iterator[tuple[str, Json]]:
    if depth > DEEPEST:
        return
    match value:
        case dict():
            yield f"{path}{{}}", len(value)
            for name, member in value.items():
                yield from _leaves(member, f"{path}.{name[:80]}", depth + 1)
        case list():
            yield f"{path}[]", len(value)
            for place, element in enumerate(value):
                yield from _leaves(element, f"{path}.{place}", depth + 1)
        case str() if len(value) > LONGEST:
            yield path, hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
        case _:
            yield path, value


def as_float(value: Json) -> float:
    """Return a number as a float: infinite for an integer too large for one, 0 for what is none."""
    if not isinstance(value, int | float):
        return 0.0
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def differing(one: Leaves, other: Leaves) -> set[str]:
    """Return the paths at which two observations differ."""
    return {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}


def cell_of(leaves: Leaves, left_out: frozenset[str]) -> str:
    """Return a text that two observations share where all leaves but some are equal."""
    told = repr([(path, value) for path, value in leaves.items() if path not in left_out])
    return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def may_be_volatile(value: Json) -> bool:
    """Say whether a value could be an id or a time: a longer text, a large or broken number."""
    if isinstance(value, str):
        return len(value) >= SHORTEST_ID
    if isinstance(value, float):
        return True
    return isinstance(value, int) and abs(value) >= LEAST_TIME


class Clocks:
    """Finds the leaves that tell nothing but how many steps were taken.

    Such a leaf is a number that has one value at each step, whatever was done, and more than one
    in all. It takes episodes that differ in their actions to tell.
    """

    def __init__(self) -> None:
        self._values: dict[str, dict[int, Json]] = {}
        self._others: set[str] = set()
        self._episodes = 0

    def note(self, episode: list[Leaves]) -> None:
        """Take in the observations of one more episode."""
        self._episodes += 1
        for step, leaves in enumerate(episode):
            for path, value in leaves.items():
                if path in self._others:
                    continue
                if isinstance(value, bool) or not isinstance(value, int | float):
                    self._others.add(path)
                    self._values.pop(path, None)
                elif self._values.setdefault(path, {}).setdefault(step, value) != value:
                    self._others.add(path)
                    self._values.pop(path)

    @property
    def paths(self) -> frozenset[str]:
        """Return what has been a clock so far; nothing before three episodes."""
        if self._episodes < 3:
            return frozenset()
        return frozenset(
            path for path, values in self._values.items() if len(set(values.values())) > 1
        )
