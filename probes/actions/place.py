"""Narrows actions to those that hold a given value."""

import math
from dataclasses import replace

from probes.actions.fit import fits
from probes.actions.sample import IGNORED
from probes.actions.space import (
    Anything,
    Array,
    Choice,
    Field,
    Node,
    Object,
    Real,
    Space,
    Union,
    Whole,
    resolve,
)
from probes.base import Json

DEEPEST = 8
LARGEST = 128
"""Bits of an integer that is written out."""
BESIDE = 1_000
"""Size of a number that is placed in a member without both bounds, beside others: a server that
is told to repeat a text so many times lives through it."""
LONGEST_NUMBER = 18
"""Characters of a text that is read as a number."""


def placing(space: Space, value: Json, *, member: str = "") -> Space | None:
    """Return the actions that hold a value in each part that can; None where no part can.

    A part can where the value, or the number that it spells, or the text of the number that it
    is, is legal there, or where it spells the elements of a list one by one (1452 for
    [1, 4, 5, 2]). Options of a union that cannot hold it are left out. With `member`, only
    members of that name hold it.
    """
    root = _Placing(space, value, member).node(space.root, 0, held=not member)
    return None if root is None else replace(space, root=root, heights={})


def number_in(text: str) -> int | float | None:
    """Return the number that a text spells, None where it spells none."""
    bare = text.strip().lstrip("$").replace(",", "")
    if not bare or len(bare) > LONGEST_NUMBER or "_" in bare:
        return None
    try:
        found = float(bare)
    except ValueError:
        return None
    if not math.isfinite(found):
        return None
    return int(found) if found == int(found) else found


class _Placing:
    def __init__(self, space: Space, value: Json, member: str) -> None:
        self._space = space
        self._forms = _forms(value)
        self._member = member
        self._alone = True
        """The part that is looked at is the only one of its object."""

    def node(self, node: Node, depth: int, *, held: bool) -> Node | None:
        """Return what holds the value; `held` says that this part may be the one that does."""
        if depth > DEEPEST:
            return None
        match known := resolve(self._space, node):
            case Object(fields=fields):
                return self._object(known, fields, depth, held)
            case Union(options=options, meant=meant):
                kept = options if meant is None else meant
                tried = (self.node(one, depth + 1, held=held) for one in kept)
                found = tuple(one for one in tried if one is not None)
                return Union(options=found) if found else None
            case Array():
                return self._array(known, depth, held)
            case _:
                return self._leaf(known) if held else None

    def _leaf(self, node: Node) -> Node | None:
        if isinstance(node, Anything):
            return None
        if isinstance(node, Choice):
            kept = tuple(one for one in node.values if self._is(one))
            return Choice(kept) if kept else None
        fitting = [
            form
            for form in self._forms
            if fits(self._space, node, form) and (self._alone or not _is_far(node, form))
        ]
        return Choice((fitting[0],)) if fitting else None

    def _is(self, one: Json) -> bool:
        if isinstance(one, str):
            return any(
                isinstance(f, str) and f.strip().casefold() == one.casefold() for f in self._forms
            )
        is_number = isinstance(one, int | float) and not isinstance(one, bool)
        return is_number and one in [form for form in self._forms if isinstance(form, int | float)]

    def _array(self, node: Array, depth: int, held: bool) -> Node | None:
        if held:
            for form in self._forms:
                whole = form if isinstance(form, list) else _spelled(form)
                if whole is not None and fits(self._space, node, whole):
                    return Choice((whole,))
        if node.prefix or node.least > 1 or node.most == 0:
            return None
        rest = self.node(node.rest, depth + 1, held=held)
        return None if rest is None else replace(node, rest=rest, least=1, most=1)

    def _object(
        self, node: Object, fields: tuple[Field, ...], depth: int, held: bool
    ) -> Node | None:
        found: list[Field] = []
        placed = False
        said = [one for one in fields if one.name not in IGNORED and not _names_a_call(one)]
        for one in fields:
            self._alone = len(said) == 1
            mine = held or one.name == self._member
            new = None if one.name in IGNORED else self.node(one.node, depth + 1, held=mine)
            if new is None or _names_a_call(one):
                found.append(one)
            else:
                found.append(replace(one, node=new, required=True))
                placed = True
        return replace(node, fields=tuple(found)) if placed else None


def _forms(value: Json) -> list[Json]:
    """Return a value as it is and in the other form of text or number."""
    if isinstance(value, str):
        number = number_in(value)
        return [value] if number is None else [value, number]
    if isinstance(value, int | float) and not isinstance(value, bool):
        if isinstance(value, int) and value.bit_length() > LARGEST:
            return [value]
        return [value, f"{value:.12g}" if isinstance(value, float) else f"{value:d}"]
    return [value]


def _spelled(value: Json) -> list[Json] | None:
    """Return the numbers that a text spells one by one, None where it does not."""
    if not isinstance(value, str) or len(value) > LONGEST_NUMBER * 4:
        return None
    marks = value.strip("[]() ")
    parts = [part.strip() for part in marks.split(",")] if "," in marks else list(marks)
    numbers = [number_in(part) for part in parts]
    if len(parts) < 2 or any(one is None for one in numbers):
        return None
    return [*numbers]


def _is_far(node: Node, value: Json) -> bool:
    """Say whether a number without both bounds is too large to be tried out."""
    if not isinstance(node, Whole | Real) or not isinstance(value, int | float):
        return False
    return (node.low is None or node.high is None) and abs(value) > BESIDE


def _names_a_call(field: Field) -> bool:
    return field.name in ("type", "tool_name") and isinstance(field.node, Choice)
