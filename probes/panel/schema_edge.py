"""`schema_edge`: the ends of what the schema allows."""

from dataclasses import replace

import numpy as np

from probes.actions.fit import fits_number, fits_text
from probes.actions.hints import is_refused
from probes.actions.legal import leaves_open
from probes.actions.offer import space_of
from probes.actions.sample import IGNORED, sample
from probes.actions.space import (
    Array,
    Choice,
    Link,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
)
from probes.base import Finished, Json, Lane, Rung, Seen, Unplayable

MOST_ACTIONS = 12
MOST_REFUSED = 3
DEEPEST = 12
FAR = (0, -1, 1_000, -1_000, 100_000)
"""Integers where nothing bounds them: far, but not so far that a server which allocates as told
dies of it."""
FAR_REAL = (0.0, -1.0, 1e-300, 1e5, -1e5)
ODD = (
    "",
    " ",
    "\x00",
    "\u202e\u0301\ufeff",
    "\U0001d518\U0001d52b\U0001f600",
    "'\"`;--",
    "${x}{{x}}%s",
    "-1",
    "NaN",
    "1e999",
)
"""Texts that software stumbles over, short enough for nearly all members."""


class SchemaEdge:
    """Draws from bounds, far numbers, empty and odd texts, shortest lists, null.

    All of it is legal by the schema, and each value is drawn anew: it is no lucky constant. It
    has nothing to offer where the schema bounds everything, since `random` reaches those edges.
    """

    name = "schema_edge"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_AtEdges":
        space = space_of(lane)
        if not leaves_open(space):
            raise Unplayable("the schema bounds all: no edge that random play does not reach")
        return _AtEdges(edged(space), rng)


class _AtEdges:
    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self._space = space
        self._rng = rng
        self._refused = 0

    def act(self, seen: Seen) -> Json:
        """Return an action from the edges.

        Raises:
            Finished: it was tried often enough, or is not taken.
        """
        self._refused = self._refused + 1 if is_refused(seen) else 0
        if seen.step == MOST_ACTIONS or self._refused == MOST_REFUSED:
            raise Finished
        return sample(self._space, self._rng)


def edged(space: Space) -> Space:
    """Return a space in which each part is at one of its edges."""
    named = {name: _edge(node, 0) for name, node in space.named.items()}
    return replace(space, root=_edge(space.root, 0), named=named, heights={})


def _edge(node: Node, depth: int) -> Node:
    if depth > DEEPEST:
        return node
    match node:
        case Whole() | Real():
            return _numbers(node)
        case Text():
            odd = tuple(text for text in ODD if fits_text(node, text))
            return Choice(odd) if odd else node
        case Array(prefix=prefix, rest=rest):
            parts = tuple(_edge(one, depth + 1) for one in prefix)
            return replace(node, prefix=parts, rest=_edge(rest, depth + 1))
        case Object(fields=fields):
            return replace(
                node,
                fields=tuple(
                    one if one.name in IGNORED else replace(one, node=_edge(one.node, depth + 1))
                    for one in fields
                ),
            )
        case Union(options=options, meant=meant):
            kept = options if meant is None else meant
            return Union(options=tuple(_edge(one, depth + 1) for one in kept))
        case Choice() | Link():
            return node
    return node


def _numbers(node: Whole | Real) -> Node:
    far: tuple[float, ...] = FAR if isinstance(node, Whole) else FAR_REAL
    bounded = [one for one in (node.low, node.high) if one is not None]
    kept = tuple(one for one in dict.fromkeys([*bounded, *far]) if fits_number(node, one))
    return Choice(kept) if kept else node
