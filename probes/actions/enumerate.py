"""Lists legal actions in a stable order, as many as there is room for."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from probes.actions.fit import fits
from probes.actions.space import (
    Array,
    Choice,
    Node,
    Object,
    Space,
    Union,
    Whole,
    identity,
    resolve,
)
from probes.base import Json

LARGEST_SPAN = 100_000
"""Integers of one part that are still listed."""
LONGEST = 4
"""Elements of an array whose combinations are still listed."""


class Endless(Exception):
    """A part has more values than can be listed."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Legal actions, each once."""

    actions: tuple[Json, ...]
    whole: bool
    """These are all there are, optional members left out."""


def enumerate_actions(space: Space, most: int) -> Listed:
    """Return the first `most` legal actions; none where a part of them is without limit.

    Optional members are left out: they multiply actions, and rarely change what one does.
    """
    seen: set[str] = set()
    actions: list[Json] = []
    try:
        for action in _values(space, space.root, 0):
            mark = identity(action)
            if mark in seen or not fits(space, space.root, action):
                continue
            if len(actions) == most:
                return Listed(tuple(actions), whole=False)
            seen.add(mark)
            actions.append(action)
    except Endless:
        return Listed(tuple(actions), whole=False)
    return Listed(tuple(actions), whole=True)


def _values(space: Space, node: Node, depth: int) -> Iterator[Json]:
    """Yield every value of a node.

    Raises:
        Endless: they cannot be listed.
    """
    if depth > LONGEST:
        raise Endless
    node = resolve(space, node)
    match node:
        case Choice(values=values):
            return iter(values)
        case Whole():
            return _integers(node)
        case Union():
            return _of_options(space, node, depth)
        case Array():
            return _lists(space, node, depth)
        case Object():
            return _objects(space, node, depth)
    raise Endless


def _integers(node: Whole) -> Iterator[Json]:
    if node.low is None or node.high is None or (node.high - node.low) // node.step > LARGEST_SPAN:
        raise Endless
    return iter(range(-(-node.low // node.step) * node.step, node.high + 1, node.step))


def _of_options(space: Space, node: Union, depth: int) -> Iterator[Json]:
    for option in node.options if node.meant is None else node.meant:
        yield from _values(space, option, depth + 1)


def _lists(space: Space, node: Array, depth: int) -> Iterator[Json]:
    if node.most is None or node.most > LONGEST:
        raise Endless
    for length in range(node.least, node.most + 1):
        kinds = [*node.prefix, *[node.rest] * length][:length]
        for elements in product(*(_listed(space, kind, depth) for kind in kinds)):
            yield list(elements)


def _objects(space: Space, node: Object, depth: int) -> Iterator[Json]:
    needed = [one for one in node.fields if one.required]
    if node.least > len(needed):
        raise Endless
    for members in product(*(_listed(space, one.node, depth) for one in needed)):
        yield {one.name: member for one, member in zip(needed, members, strict=True)}


def _listed(space: Space, node: Node, depth: int) -> list[Json]:
    found = list(islice(_values(space, node, depth + 1), LARGEST_SPAN + 1))
    if len(found) > LARGEST_SPAN:
        raise Endless
    return found
