"""Says in words what an action looks like, for a model's prompt."""

import json

from probes.actions.space import (
    DEEPEST,
    Anything,
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
from probes.model.schema import members

MOST_SHOWN = 30
"""Values of an enum, members of an object, options of a union that are named."""
LONGEST_DESCRIPTION = 300
DEEP = 3
"""Levels that are spelled out."""


def kind_of(space: Space, node: Node, level: int = 0) -> str:
    """Return what a value is, in a few words."""
    node = resolve(space, node)
    match node:
        case Choice(values=values):
            return "one of " + ", ".join(short(one) for one in values[:MOST_SHOWN])
        case Whole(low=low, high=high):
            return "a whole number" + _range(low, high)
        case Real(low=low, high=high):
            return "a number" + _range(low, high)
        case Text(most=most):
            return "a text" if most is None else f"a text of at most {most} characters"
        case Array(rest=rest, prefix=prefix):
            return _list_of(space, node, prefix[0] if prefix else rest, level)
        case Object():
            if level >= DEEP:
                return "an object"
            inner = ", ".join(
                f'"{one.name}": {kind_of(space, one.node, level + 1)}'
                for one in members(node)[:MOST_SHOWN]
            )
            return f"{{{inner}}}"
        case Union(options=options, meant=meant):
            if level >= DEEP:
                return "a value"
            told = dict.fromkeys(
                kind_of(space, one, level + 1) for one in (meant or options)[:MOST_SHOWN]
            )
            return ", or ".join(told)
        case _:
            return "any value"


def member_line(space: Space, one: Field) -> str:
    """Return the line that explains a member of an action."""
    told = " ".join(one.description.split())[:LONGEST_DESCRIPTION]
    optional = "" if one.required else ", or null"
    return f"- {one.name}: {kind_of(space, one.node, 1)}{optional}" + (f" ({told})" if told else "")


def example(space: Space, node: Node, number: int, level: int = 0) -> Json:
    """Return the `number`-th example of a value: legal where the schema is not too strict.

    Texts are `...`: an example that is an answer would be copied.
    """
    node = resolve(space, node)
    if level > min(DEEPEST, 8):
        return None
    match node:
        case Choice(values=values):
            return values[number % len(values)] if values else None
        case Whole(low=low, high=high):
            first = low if low is not None else min(0, high) if high is not None else 0
            return first + number if high is None else min(first + number, high)
        case Real(low=low, high=high):
            first_real = low if low is not None else 0.0
            return first_real if high is None else min(first_real + number, high)
        case Text():
            return "..."
        case Array(least=least, prefix=prefix, rest=rest):
            kinds = [*prefix, *([rest] * max(0, min(least, 8) - len(prefix)))] or [rest]
            return [example(space, one, number + at, level + 1) for at, one in enumerate(kinds)]
        case Object():
            return {
                one.name: example(space, one.node, number, level + 1)
                for one in members(node)
                if one.required
            }
        case Union(options=options):
            return example(space, options[number % len(options)], 0, level + 1) if options else None
        case Anything() | _:
            return "..."


def short(value: Json) -> str:
    """Return a value as JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."


def _list_of(space: Space, node: Array, inner: Node, level: int) -> str:
    what = kind_of(space, inner, level + 1) if level < DEEP else "values"
    if node.most is not None and node.least == node.most:
        return f"a list of {node.most}, each {what}"
    return f"a list, each {what}"


def _range(low: float | None, high: float | None) -> str:
    match low, high:
        case None, None:
            return ""
        case _, None:
            return f" from {low} on"
        case None, _:
            return f" up to {high}"
    return f" from {low} to {high}"
