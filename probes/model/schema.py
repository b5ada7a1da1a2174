"""From a typed space back to a JSON Schema that endpoints can hold a reply to.

Engines of structured output take a part of JSON Schema, hosted ones the smallest: every member
is required and no other is allowed, so an optional member may be null instead of missing. What
they disagree on (patterns, lengths that unfold to large grammars) is left out: the schema is then
wider than the space, and the environment has the last word.
"""

from probes.actions.sample import IGNORED
from probes.actions.space import (
    Anything,
    Array,
    Choice,
    Field,
    Link,
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

LONGEST_BOUND = 200
"""Lengths beyond which a bound is left out."""
MOST_VALUES = 500
"""Values of an enum beyond which it is left out."""
_ANY: list[Json] = [{"type": one} for one in ("string", "number", "boolean", "null")]


def strict_schema(space: Space, node: Node) -> dict[str, Json]:
    """Return the schema of one node, with what it refers to under `$defs`."""
    names = {name: f"n{number}" for number, name in enumerate(sorted(space.named))}
    used: set[str] = set()
    whole = _schema(node, names, used)
    defs: dict[str, Json] = {}
    while missing := sorted(used - defs.keys()):
        for name in missing:
            defs[name] = {}
            defs[name] = _schema(space.named[name], names, used)
    return {**whole, "$defs": {names[n]: schema for n, schema in defs.items()}} if defs else whole


def members(node: Object) -> list[Field]:
    """Return the members that a reply is asked for."""
    return [one for one in node.fields if one.required or one.name not in IGNORED]


def without_nulls(space: Space, node: Node, value: Json) -> Json:
    """Return a reply's value with the optional members left out that it sets to null."""
    node = resolve(space, node)
    if isinstance(node, Object) and isinstance(value, dict):
        known = {one.name: one for one in node.fields}
        out: dict[str, Json] = {}
        for name, member in value.items():
            field = known.get(name)
            if field is None:
                out[name] = member
            elif member is not None or field.required:
                out[name] = without_nulls(space, field.node, member)
        return out
    if isinstance(node, Array) and isinstance(value, list):
        return [
            without_nulls(space, node.prefix[place] if place < len(node.prefix) else node.rest, one)
            for place, one in enumerate(value)
        ]
    return value


def _schema(node: Node, names: dict[str, str], used: set[str]) -> dict[str, Json]:
    match node:
        case Link(name=name):
            used.add(name)
            return {"$ref": f"#/$defs/{names[name]}"}
        case Choice(values=values):
            return {"enum": list(values)} if len(values) <= MOST_VALUES else {"anyOf": [*_ANY]}
        case Whole(low=low, high=high):
            return _bounded({"type": "integer"}, minimum=low, maximum=high)
        case Real(low=low, high=high):
            return _bounded({"type": "number"}, minimum=low, maximum=high)
        case Text(least=least, most=most):
            small = most if most is not None and most <= LONGEST_BOUND else None
            return _bounded(
                {"type": "string"},
                minLength=least if 0 < least <= LONGEST_BOUND else None,
                maxLength=small,
            )
        case Array():
            return _array(node, names, used)
        case Object():
            return _object(node, names, used)
        case Union(options=options, meant=meant):
            return {"anyOf": [_schema(one, names, used) for one in (meant or options)]}
        case Anything():
            return {"anyOf": [*_ANY]}


def _array(node: Array, names: dict[str, str], used: set[str]) -> dict[str, Json]:
    kinds: list[Json] = []
    nothing = Union(options=())
    for one in (*node.prefix, node.rest):
        schema = _schema(one, names, used)
        if one != nothing and schema not in kinds:
            kinds.append(schema)
    most = len(node.prefix) if node.rest == nothing else node.most
    items: Json = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return _bounded(
        {"type": "array", "items": items if kinds else {"type": "null"}},
        minItems=node.least if 0 < node.least <= LONGEST_BOUND else None,
        maxItems=most if most is not None and most <= LONGEST_BOUND else None,
    )


def _object(node: Object, names: dict[str, str], used: set[str]) -> dict[str, Json]:
    properties: dict[str, Json] = {}
    for one in members(node):
        schema = _schema(one.node, names, used)
        properties[one.name] = schema if one.required else {"anyOf": [schema, {"type": "null"}]}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _bounded(schema: dict[str, Json], **bounds: int | float | None) -> dict[str, Json]:
    return {**schema, **{name: bound for name, bound in bounds.items() if bound is not None}}
