"""Holds JSON values against a stranger's JSON Schema, within bounds of size and work.

A schema is data of the server: nothing outside of it is ever followed, no regular expression of
it is run, and the work it may cause is counted. What is not looked at here: `pattern`,
`patternProperties`, `format`, `uniqueItems`, and dynamic references.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from validator.client.frames import Json

MOST_CHARACTERS = 256 * 1024
MOST_WORK = 1_000_000
"""Most values and keywords looked at with one schema, in all."""
MOST_FAULTS = 3
_LEFT_OUT = frozenset(
    {"pattern", "patternProperties", "format", "uniqueItems", "$dynamicRef", "$recursiveRef",
     "$schema", "$id", "$vocabulary", "unevaluatedProperties", "unevaluatedItems"}
)  # fmt: skip
_NAMED = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
_DATA = frozenset({"enum", "const", "default", "examples"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """One place where a value is not what the schema says."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Unusable:
    """A schema that cannot be held against anything."""

    why: str


class TooMuch(Exception):
    """Looking further would take more work than a stranger's schema is worth."""


class Shape:
    """A schema that is safe to use."""

    def __init__(self, tamed: Any) -> None:
        import jsonschema
        import referencing

        self.document: dict[str, Json] = tamed if isinstance(tamed, dict) else {}
        self._left = MOST_WORK
        base = jsonschema.Draft202012Validator
        counted = {name: self._counted(rule) for name, rule in base.VALIDATORS.items()}
        bounded: Any = jsonschema.validators.extend(base, counted)  # type: ignore[no-untyped-call]
        self._validator = bounded(tamed, registry=referencing.Registry())

    def mismatches(self, value: Json) -> list[Mismatch]:
        """Return the first places where a value breaks the schema; none where it fits.

        Raises:
            TooMuch: the work allowed is spent, or the schema leads nowhere.
        """
        import referencing.exceptions

        found = []
        try:
            for fault in self._validator.iter_errors(value):
                found.append(Mismatch(path=fault.json_path, why=fault.message[:200]))
                if len(found) == MOST_FAULTS:
                    break
        except (RecursionError, referencing.exceptions.Unresolvable) as broken:
            raise TooMuch(f"the schema leads nowhere ({type(broken).__name__})") from broken
        return found

    def _counted(self, rule: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
        def look(validator: Any, keyword: Any, value: Any, schema: Any) -> Iterator[Any]:
            self._left -= 1 + _length(keyword) + _length(value)
            if self._left < 0:
                raise TooMuch("the schema asks for too much work")
            yield from rule(validator, keyword, value, schema) or ()

        return look


def read_schema(schema: Json) -> Shape | Unusable:
    """Return a schema that is safe to use, or say why it is not."""
    import jsonschema

    if not isinstance(schema, dict):
        return Unusable("it is no JSON object")
    if len(json.dumps(schema)) > MOST_CHARACTERS:
        return Unusable(f"it is longer than {MOST_CHARACTERS} characters")
    try:
        tamed = _tame(schema)
        jsonschema.Draft202012Validator.check_schema(tamed)
        return Shape(tamed)
    except jsonschema.SchemaError as broken:
        return Unusable(f"it is no JSON Schema ({broken.message[:120]})")
    except (RecursionError, ValueError) as broken:
        return Unusable(str(broken)[:120] or "it is nested too deep")


def part(shape: Shape, name: str) -> Json:
    """Return the schema of a property, one local reference followed; None where it has none."""
    properties = shape.document.get("properties")
    found = properties.get(name) if isinstance(properties, dict) else None
    if isinstance(found, dict) and isinstance(found.get("$ref"), str):
        return _local(shape.document, str(found["$ref"]))
    return found


def promised_types(shape: Shape, schema: Json, *, depth: int = 8) -> frozenset[str] | None:
    """Return the JSON types that a part of a schema allows, null left out; None where any.

    Integers are numbers.
    """
    if not isinstance(schema, dict) or depth == 0:
        return None
    if isinstance(schema.get("$ref"), str):
        return promised_types(shape, _local(shape.document, str(schema["$ref"])), depth=depth - 1)
    found = schema.get("type")
    if isinstance(found, str | list):
        listed = [found] if isinstance(found, str) else found
        kinds = {"number" if kind == "integer" else str(kind) for kind in listed}
        return frozenset(kinds - {"null"})
    branches = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(branches, list):
        parts = [promised_types(shape, branch, depth=depth - 1) for branch in branches]
        known = [part for part in parts if part is not None]
        return frozenset().union(*known) if len(known) == len(parts) else None
    whole = schema.get("allOf")
    if isinstance(whole, list) and len(whole) == 1:
        return promised_types(shape, whole[0], depth=depth - 1)
    values = schema["enum"] if isinstance(schema.get("enum"), list) else None
    if values is None and "const" in schema:
        values = [schema["const"]]
    return frozenset(map(json_type, values)) - {"null"} if isinstance(values, list) else None


def json_type(value: Json) -> str:
    """Return the JSON type of a value; integers are numbers."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
    return "object"


def _local(document: Json, reference: str) -> Json:
    found = document
    for step in reference.removeprefix("#/").split("/"):
        if not isinstance(found, dict):
            return None
        found = found.get(step.replace("~1", "/").replace("~0", "~"))
    return found


def names(shape: Shape, key: str) -> list[str]:
    """Return the property names under `properties` or `required`."""
    found = shape.document.get(key)
    return (
        [name for name in found if isinstance(name, str)] if isinstance(found, list | dict) else []
    )


def _tame(schema: Any) -> Any:
    """Return a copy without what could be abused.

    Raises:
        ValueError: it refers to another document.
    """
    if not isinstance(schema, dict):
        return schema
    found = {}
    for key, value in schema.items():
        if key in _LEFT_OUT or (key == "additionalProperties" and "patternProperties" in schema):
            continue
        if key in ("$ref",) and not (isinstance(value, str) and value.startswith("#")):
            raise ValueError("it refers to another document, which is not followed")
        if key in _DATA:
            found[key] = value
        elif key in _NAMED and isinstance(value, dict):
            found[key] = {name: _tame(inner) for name, inner in value.items()}
        elif isinstance(value, dict):
            found[key] = _tame(value)
        elif isinstance(value, list):
            found[key] = [_tame(inner) for inner in value]
        else:
            found[key] = value
    return found


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else 0
