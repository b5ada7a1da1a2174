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


def fits(space: Space, node: Node, value: Json, *, depth: int = 0) -> bool:
    """Say whether a value is legal.

    Raises:
        Unplayable: the value or the way to it is nested beyond `DEEPEST`.
    """
    if depth > DEEPEST:
        raise Unplayable(f"the action schema is nested deeper than {DEEPEST} levels")
    match resolve(space, node):
        case Anything():
            return True
        case Choice(values=values):
            return _listed(values, value)
        case Union() as union:
            return _fits_union(space, union, value, depth)
        case (Whole() | Real()) as number:
            return isinstance(value, int | float) and fits_number(number, value)
        case Text() as text:
            return isinstance(value, str) and fits_text(text, value)
        case Array() as array:
            return isinstance(value, list) and _fits_array(space, array, value, depth)
        case Object() as thing:
            return isinstance(value, dict) and _fits_object(space, thing, value, depth)
    return False


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


def _fits_union(space: Space, node: Union, value: Json, depth: int) -> bool:
    fitting = 0
    for option in node.options:
        fitting += fits(space, option, value, depth=depth + 1)
        if fitting > node.exclusive:
            break
    return fitting == 1


def _fits_array(space: Space, node: Array, value: list[Json], depth: int) -> bool:
    if len(value) < node.least or (node.most is not None and len(value) > node.most):
        return False
    if node.unique and len({identity(element) for element in value}) < len(value):
        return False
    kinds = [*node.prefix, *[node.rest] * (len(value) - len(node.prefix))]
    return all(
        fits(space, kind, element, depth=depth + 1)
        for kind, element in zip(kinds, value, strict=False)
    )


def _fits_object(space: Space, node: Object, value: dict[str, Json], depth: int) -> bool:
    if len(value) < node.least or (node.most is not None and len(value) > node.most):
        return False
    known = {one.name: one for one in node.fields}
    if any(one.required and one.name not in value for one in node.fields):
        return False
    return all(
        fits(space, known[name].node if name in known else node.rest, member, depth=depth + 1)
        for name, member in value.items()
    )
