"""Narrows actions to those that hold a given value."""

import math
from dataclasses import replace

from probes.actions.fit import fits_number, fits_text
from probes.actions.sample import IGNORED
from probes.actions.space import (
    Array,
    Choice,
    Field,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
    resolve,
)
from probes.base import Json

DEEPEST = 8
LONGEST_NUMBER = 18
"""Characters of a text that is read as a number."""


def placing(space: Space, value: str) -> Space | None:
    """Return the actions that hold a value in each part that can; None where no part can.

    A part can where the value, as a text or as the number that it spells, is legal there, or
    where it spells the elements of a list one by one (1452 for [1, 4, 5, 2]). Options of a union
    that cannot hold it are left out.
    """
    root = _Placing(space, value).node(space.root, 0)
    return None if root is None else replace(space, root=root, heights={})


def number_in(text: str) -> int | float | None:
    """Return the number that a text spells, None where it spells none."""
    bare = text.strip().lstrip("$").replace(",", "")
    if not bare or len(bare) > LONGEST_NUMBER:
        return None
    try:
        found = float(bare)
    except ValueError:
        return None
    if not math.isfinite(found):
        return None
    return int(found) if found == int(found) else found


class _Placing:
    def __init__(self, space: Space, value: str) -> None:
        self._space = space
        self._value = value
        self._number = number_in(value)

    def node(self, node: Node, depth: int) -> Node | None:
        if depth > DEEPEST:
            return None
        match known := resolve(self._space, node):
            case Text():
                return Choice((self._value,)) if fits_text(known, self._value) else None
            case Whole() | Real():
                return self._as_number(known)
            case Choice(values=values):
                kept = tuple(one for one in values if self._is(one))
                return Choice(kept) if kept else None
            case Array():
                return self._array(known, depth)
            case Object(fields=fields):
                return self._object(known, fields, depth)
            case Union(options=options, meant=meant):
                tried = (self.node(one, depth + 1) for one in (meant or options))
                kept_options = tuple(one for one in tried if one is not None)
                return Union(options=kept_options) if kept_options else None
        return None

    def _as_number(self, node: Whole | Real) -> Node | None:
        if self._number is None or not fits_number(node, self._number):
            return None
        return Choice((self._number,))

    def _is(self, one: Json) -> bool:
        if isinstance(one, str):
            return one.casefold() == self._value.strip().casefold()
        is_number = isinstance(one, int | float) and not isinstance(one, bool)
        return is_number and self._number is not None and one == self._number

    def _array(self, node: Array, depth: int) -> Node | None:
        parts = self._elements(node)
        if parts is not None:
            return Choice((parts,))
        if node.prefix or node.least > 1 or node.most == 0:
            return None
        rest = self.node(node.rest, depth + 1)
        return None if rest is None else replace(node, rest=rest, least=1, most=1)

    def _elements(self, node: Array) -> list[Json] | None:
        """Return the elements that the value spells, None where it spells none that are legal."""
        marks = self._value.strip("[]() ")
        parts = [part.strip() for part in marks.split(",")] if "," in marks else list(marks)
        inner = resolve(self._space, node.rest)
        long = len(parts) >= max(2, node.least) and (node.most is None or len(parts) <= node.most)
        if node.prefix or not long or not isinstance(inner, Whole | Real):
            return None
        numbers = [number_in(part) for part in parts]
        if any(one is None or not fits_number(inner, one) for one in numbers):
            return None
        return [*numbers]

    def _object(self, node: Object, fields: tuple[Field, ...], depth: int) -> Node | None:
        found: list[Field] = []
        placed = False
        for one in fields:
            new = None if one.name in IGNORED else self.node(one.node, depth + 1)
            if new is None or _names_a_call(one):
                found.append(one)
            else:
                found.append(replace(one, node=new, required=True))
                placed = True
        return replace(node, fields=tuple(found)) if placed else None


def _names_a_call(field: Field) -> bool:
    return field.name in ("type", "tool_name") and isinstance(field.node, Choice)
