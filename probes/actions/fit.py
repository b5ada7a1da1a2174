"""Says whether a value is legal."""

import math

from probes.actions.space import (
    DEEPEST,
    Anything,
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
from probes.base import Json, Unplayable


def fits(space: Space, node: Node, value: Json) -> bool:
    """Say whether a value is legal.

    Raises:
        Unplayable: the value is nested beyond `DEEPEST`.
    """
    return _Fitting(space).fits(node, value, 0)


def fits_number(node: Whole | Real, value: int | float) -> bool:
    """Say whether a number is legal; a whole float counts as an integer."""
    if isinstance(value, bool) or not _finite(value):
        return False
    if isinstance(node, Whole):
        if value != int(value):
            return False
        return (
            (node.low is None or value >= node.low)
            and (node.high is None or value <= node.high)
            and int(value) % node.step == 0
        )
    above = node.low is None or value > node.low or (value == node.low and not node.open_low)
    below = node.high is None or value < node.high or (value == node.high and not node.open_high)
    return above and below and (node.step is None or is_multiple(value, node.step))


def is_multiple(value: int | float, step: float) -> bool:
    """Say whether a number divided by a step is whole, in floating point."""
    try:
        quotient = value / step
    except OverflowError:
        return False
    return math.isfinite(quotient) and quotient == int(quotient)


def fits_text(node: Text, value: str) -> bool:
    """Say whether a text has a legal length and every pattern is found in it."""
    if len(value) < node.least or (node.most is not None and len(value) > node.most):
        return False
    return all(pattern.found_in(value) for pattern in node.patterns)


def _finite(value: int | float) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _listed(values: tuple[Json, ...], value: Json) -> bool:
    """Say whether a value is among others; scalars are compared without being written out."""
    if isinstance(value, list | dict):
        mark = identity(value)
        return any(isinstance(v, type(value)) and identity(v) == mark for v in values)
    as_bool = isinstance(value, bool)
    return any(
        v == value and isinstance(v, bool) == as_bool
        for v in values
        if not isinstance(v, list | dict)
    )


class _Fitting:
    """Looks at each pair of a node and a part of the value once, however many ways lead there."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._known: dict[tuple[int, int], bool] = {}

    def fits(self, node: Node, value: Json, depth: int) -> bool:
        if depth > DEEPEST:
            raise Unplayable(f"an action is nested deeper than {DEEPEST} levels")
        match resolve(self._space, node):
            case Anything():
                return True
            case Choice(values=values):
                return _listed(values, value)
            case (Whole() | Real()) as number:
                return isinstance(value, int | float) and fits_number(number, value)
            case Text() as text:
                return isinstance(value, str) and fits_text(text, value)
            case Union() as union:
                return self._once(union, value, depth)
            case Array() as array:
                return isinstance(value, list) and self._once(array, value, depth)
            case Object() as thing:
                return isinstance(value, dict) and self._once(thing, value, depth)
        return False

    def _once(self, node: Union | Array | Object, value: Json, depth: int) -> bool:
        mark = id(node), id(value)
        if mark not in self._known:
            self._known[mark] = False  # a union that is an option of itself adds nothing
            if isinstance(node, Union):
                self._known[mark] = self._union(node, value, depth)
            elif isinstance(node, Array) and isinstance(value, list):
                self._known[mark] = self._array(node, value, depth)
            elif isinstance(node, Object) and isinstance(value, dict):
                self._known[mark] = self._object(node, value, depth)
        return self._known[mark]

    def _union(self, node: Union, value: Json, depth: int) -> bool:
        fitting = 0
        for option in node.options:
            fitting += self.fits(option, value, depth)
            if fitting > node.exclusive:
                break
        return fitting == 1

    def _array(self, node: Array, value: list[Json], depth: int) -> bool:
        if len(value) < node.least or (node.most is not None and len(value) > node.most):
            return False
        if node.unique and len({identity(element) for element in value}) < len(value):
            return False
        kinds = [*node.prefix, *[node.rest] * (len(value) - len(node.prefix))]
        return all(
            self.fits(kind, element, depth + 1) for kind, element in zip(kinds, value, strict=False)
        )

    def _object(self, node: Object, value: dict[str, Json], depth: int) -> bool:
        if len(value) < node.least or (node.most is not None and len(value) > node.most):
            return False
        known = {one.name: one for one in node.fields}
        if any(one.required and one.name not in value for one in node.fields):
            return False
        return all(
            self.fits(known[name].node if name in known else node.rest, member, depth + 1)
            for name, member in value.items()
        )
