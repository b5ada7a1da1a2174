"""Tells a counter that goes on through a session from state that an earlier episode left behind."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from metrics.divergence import diverges
from metrics.volatile import VOLATILE
from validator.client.frames import Json

LEAST_SEEN = 3
"""Later episodes that a total must have been ahead in: one number that differs is no total."""
DEEPEST = 8

SHOWN = ("observation", "metadata")
"""Channels that may show a total: a reward or an end that moves on is none."""

Trace: TypeAlias = Sequence[dict[str, Json]]


class Later(NamedTuple):
    """An episode as the first of its session, and after others of one."""

    session: int
    position: int
    alone: Trace
    after: Trace


def only_totals(seen: Iterable[Later]) -> bool:
    """Say whether later episodes differ in nothing but whole numbers that count the session on.

    Such a number is ahead by one amount at every step of an episode, and by more in each later
    one of the session.
    """
    ahead: dict[int, list[tuple[int, dict[str, int]]]] = {}
    for one in seen:
        found = _ahead(one.alone, one.after)
        if found is None or (one.position and not found):
            return False
        if found:
            ahead.setdefault(one.session, []).append((one.position, found))
    for session in ahead.values():
        in_order = [found for _, found in sorted(session, key=lambda pair: pair[0])]
        if not all(_further(one, other) for one, other in pairwise(in_order)):
            return False
    return sum(map(len, ahead.values())) >= LEAST_SEEN


def _further(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    return one.keys() == other.keys() and all(one[path] < other[path] for path in one)


def _ahead(alone: Trace, after: Trace) -> dict[str, int] | None:
    """Return by how much each total is ahead; None where anything else differs."""
    offsets: dict[str, set[int]] = {}
    for one, other in zip(alone, after, strict=False):
        for path, (a, b) in _numbers(_shown(one), _shown(other)):
            offsets.setdefault(path, set()).add(b - a)
    found = {
        path: min(steps) for path, steps in offsets.items() if len(steps) == 1 and min(steps) > 0
    }
    level = [step | _less(_shown(step), found) for step in after]
    return found if diverges(alone, level, ignore=VOLATILE) is None else None


def _shown(step: dict[str, Json]) -> dict[str, Json]:
    return {channel: step[channel] for channel in SHOWN if channel in step}


def _numbers(
    one: Mapping[str, Json], other: Mapping[str, Json], path: str = ""
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the whole numbers that two objects have in the same place."""
    for key in one.keys() & other.keys():
        a, b, place = one[key], other[key], f"{path}.{key}"
        if type(a) is int and type(b) is int:
            yield place, (a, b)
        elif isinstance(a, dict) and isinstance(b, dict) and path.count(".") < DEEPEST:
            yield from _numbers(a, b, place)


def _less(value: Mapping[str, Json], ahead: Mapping[str, int], path: str = "") -> dict[str, Json]:
    """Return an object with its totals set back."""
    level: dict[str, Json] = {}
    for key, inner in value.items():
        place = f"{path}.{key}"
        if type(inner) is int:
            level[key] = inner - ahead.get(place, 0)
        elif isinstance(inner, dict) and path.count(".") < DEEPEST:
            level[key] = _less(inner, ahead, place)
        else:
            level[key] = inner
    return level
