"""What observations and error texts say of legal actions, beyond a loose schema.

Hardly a public schema bounds its integers. What does bound them are lists of legal moves in the
observation, and ranges in the text of an error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from probes.actions.fit import fits
from probes.actions.sample import IGNORED
from probes.actions.space import Choice, Node, Object, Real, Space, Text, Union, Whole, resolve
from probes.actions.text import ideas, texts_of
from probes.base import Json, Seen

LEGAL = re.compile(
    r"^(?:legal|valid|available|possible|allowed|admissible)_?(?:moves?|actions?|commands?"
    r"|options?|choices?|words?|columns?|positions?)$|^(?:options|choices|candidates|moves)$",
    re.IGNORECASE,
)
MASK = re.compile(r"mask$", re.IGNORECASE)
DEEPEST = 6
MOST = 500
"""Legal moves that are read."""

_BETWEEN = re.compile(
    r"(?:between|from|range(?: of)?|in)\s*[\[(]?\s*(-?\d{1,9})\s*(?:and|to|through|\.\.\.?|[-–,])"
    r"\s*(-?\d{1,9})\s*[\])]?",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"(?:one of|must be|expected|input should be|choose from|valid \w+ are|options are)[:\s]*"
    r"[\[({]?\s*((?:'[^'\n]{1,60}'|\"[^\"\n]{1,60}\")"
    r"(?:\s*(?:,|or|, or|and)\s*(?:'[^'\n]{1,60}'|\"[^\"\n]{1,60}\"))*)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What is known to be legal now."""

    moves: tuple[Json, ...] = ()
    """Listed legal moves: whole actions, or values of one member."""
    span: tuple[int, int] | None = None
    """Smallest and largest legal integer, as a text said."""
    words: tuple[str, ...] = ()
    """Legal texts, as an error said."""
    ideas: tuple[tuple[str, ...], ...] = ()
    """Texts worth writing."""

    def seen(self, seen: Seen) -> "Hints":
        """Return what is known after a further look.

        Moves belong to the observation they stand in; what an error said stays true.
        """
        text = texts_of(seen.observation)
        error = seen.error or ""
        span = _span(error) or self.span or _span(text)
        words = _one_of(error) or self.words
        return Hints(
            moves=tuple(_moves(seen.observation, 0))[:MOST],
            span=span,
            words=words,
            ideas=ideas(seen.observation),
        )

    def narrow(self, space: Space) -> Space:
        """Return the space as far as the hints leave it; all of it where they fit nothing."""
        whole = [move for move in self.moves if fits(space, space.root, move)]
        if whole:
            return replace(space, root=Choice(tuple(whole)), heights={})
        return replace(space, root=self._node(space, space.root, 0), heights={})

    def _node(self, space: Space, node: Node, depth: int) -> Node:
        node = resolve(space, node)
        if depth > DEEPEST:
            return node
        match node:
            case Object(fields=fields):
                return replace(
                    node,
                    fields=tuple(
                        one
                        if one.name in IGNORED
                        else replace(one, node=self._node(space, one.node, depth + 1))
                        for one in fields
                    ),
                )
            case Union(options=options, meant=meant):
                return replace(
                    node,
                    options=tuple(self._node(space, one, depth + 1) for one in options),
                    meant=None
                    if meant is None
                    else tuple(self._node(space, one, depth + 1) for one in meant),
                )
            case Choice() | Whole() | Real() | Text():
                return self._leaf(space, node)
        return node

    def _leaf(self, space: Space, node: Choice | Whole | Real | Text) -> Node:
        fitting = tuple(move for move in self.moves if fits(space, node, move))
        if fitting:
            return Choice(fitting)
        if isinstance(node, Whole) and self.span and (node.low is None or node.high is None):
            low, high = self.span
            low = low if node.low is None else max(low, node.low)
            high = high if node.high is None else min(high, node.high)
            return replace(node, low=low, high=high) if low <= high else node
        if isinstance(node, Text):
            words = tuple(word for word in self.words if fits(space, node, word))
            return Choice(words) if words else replace(node, ideas=self.ideas)
        return node


def _moves(value: Json, depth: int) -> Iterator[Json]:
    """Yield the legal moves that an observation lists, wherever they stand in it."""
    if depth > DEEPEST or not isinstance(value, dict | list):
        return
    if isinstance(value, list):
        for element in value[:MOST]:
            yield from _moves(element, depth + 1)
        return
    for name, member in list(value.items())[:MOST]:
        if isinstance(member, list) and LEGAL.match(name):
            yield from member[:MOST]
        elif isinstance(member, list) and MASK.search(name):
            yield from (place for place, legal in enumerate(member[:MOST]) if legal in (1, True))
        else:
            yield from _moves(member, depth + 1)


def _span(text: str) -> tuple[int, int] | None:
    for found in _BETWEEN.finditer(text):
        low, high = int(found[1]), int(found[2])
        if low < high:
            return low, high
    return None


def _one_of(text: str) -> tuple[str, ...]:
    found = _ONE_OF.search(text)
    if found is None:
        return ()
    return tuple(dict.fromkeys(one or other for one, other in _QUOTED.findall(found[1])))
