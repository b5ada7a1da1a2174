"""Lists legal actions in a stable order, as many as there is room for."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from probes.actions.fit import fits
from probes.actions.sample import SPREAD, WORDS
from probes.actions.space import (
    Array,
    Choice,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
    identity,
    resolve,
)
from probes.base import Json

MOST_OF_ONE = 1_000
"""Values of one part that are combined with those of others."""
MOST_LOOKED_AT = 20_000
"""Values that are looked at for one listing."""
LONGEST = 64
"""Elements of a list beyond which none are listed."""
DEEPEST = 6
"""Levels below which nothing is listed."""


class Endless(Exception):
    """There are more values than those that were listed."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Legal actions, each once."""

    actions: tuple[Json, ...]
    whole: bool
    """These are all there are, optional members left out."""


def enumerate_actions(space: Space, most: int) -> Listed:
    """Return the first `most` legal actions, in an order that the space alone decides.

    Enum members and options of a union come as listed, integers upwards, short lists before
    long ones, and of several members the last one changes fastest. Optional members are left
    out: they multiply actions, and rarely change what one does. Of a part without limit only a
    few values are listed: small integers, ends and middle of a range, the texts worth writing.

    Raises:
        Unplayable: a legal action is nested beyond all reason.
    """
    seen: set[str] = set()
    actions: list[Json] = []
    try:
        for number, action in enumerate(_Lister(space).values(space.root, 0)):
            if number == MOST_LOOKED_AT:
                return Listed(tuple(actions), whole=False)
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


class _Lister:
    """Lists values of nodes; what it does for one listing is bounded."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._left = MOST_LOOKED_AT
        self._known: dict[tuple[int, int], tuple[list[Json], bool]] = {}

    def values(self, node: Node, depth: int) -> Iterator[Json]:
        """Yield the values of a node.

        Raises:
            Endless: there are more than those that were yielded.
        """
        self._left -= 1
        if depth > DEEPEST or self._left < 0:
            raise Endless
        match node := resolve(self._space, node):
            case Choice(values=values):
                yield from values
            case Whole():
                yield from _integers(node)
            case Union():
                yield from self._of_options(node, depth)
            case Array():
                yield from self._lists(node, depth)
            case Object():
                yield from self._objects(node, depth)
            case Real():
                yield from _reals(node)
            case Text():
                groups = node.ideas or (WORDS,)
                yield from (word for group in groups for word in group)
                raise Endless
            case _:
                raise Endless

    def _of_options(self, node: Union, depth: int) -> Iterator[Json]:
        endless = node.meant is not None
        for option in node.options if node.meant is None else node.meant:
            try:
                yield from self.values(option, depth + 1)
            except Endless:
                endless = True
        if endless:
            raise Endless

    def _lists(self, node: Array, depth: int) -> Iterator[Json]:
        length = node.least
        while node.most is None or length <= node.most:
            if length > LONGEST:
                raise Endless
            kinds = [*node.prefix[:length], *[node.rest] * (length - len(node.prefix))]
            parts, whole = self._parts(kinds, depth)
            if not all(parts):
                return  # one element has no value, and longer lists hold it too
            if node.unique and whole and not node.prefix and parts and length > len(parts[0]):
                return
            yield from (list(elements) for elements in product(*parts))
            if not whole:
                raise Endless
            length += 1

    def _objects(self, node: Object, depth: int) -> Iterator[Json]:
        needed = [one for one in node.fields if one.required]
        if node.least > len(needed):
            raise Endless
        parts, whole = self._parts([one.node for one in needed], depth)
        for members in product(*parts):
            yield {one.name: member for one, member in zip(needed, members, strict=True)}
        if not whole:
            raise Endless

    def _parts(self, nodes: list[Node], depth: int) -> tuple[list[list[Json]], bool]:
        """Return the first values of each node, and whether those are all of all of them."""
        found = [self._first(resolve(self._space, node), depth + 1) for node in nodes]
        return [values for values, _ in found], all(whole for _, whole in found)

    def _first(self, node: Node, depth: int) -> tuple[list[Json], bool]:
        mark = id(node), depth
        if mark not in self._known:
            values: list[Json] = []
            whole = True
            try:
                for value in islice(self.values(node, depth), MOST_OF_ONE + 1):
                    self._left -= 1
                    values.append(value)
            except Endless:
                whole = False
            self._known[mark] = values[:MOST_OF_ONE], whole and len(values) <= MOST_OF_ONE
        return self._known[mark]


def _integers(node: Whole) -> Iterator[Json]:
    low, high = node.low, node.high
    if low is not None and high is not None:
        yield from range(-(-low // node.step) * node.step, high + 1, node.step)
        return
    if low is None:
        low = 0 if high is None or high >= 0 else high - (SPREAD - 1) * node.step
    first = -(-low // node.step)
    shown = (number * node.step for number in range(first, first + SPREAD))
    yield from (number for number in shown if high is None or number <= high)
    raise Endless


def _reals(node: Real) -> Iterator[Json]:
    low = node.low if node.low is not None else -1.0 if node.high is None else node.high - 1
    high = node.high if node.high is not None else low + (2.0 if node.low is None else 1.0)
    yield from (low, low / 2 + high / 2, high)
    if low < high:
        raise Endless
