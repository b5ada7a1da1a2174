"""The typed description of an action: a small tree of what is legal."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from probes.actions.pattern import Pattern
from probes.base import Json

DEEPEST = 100
"""Levels that a value, or the way through references to one, may have."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the listed values: an enum, a constant, a boolean, null."""

    values: tuple[Json, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """An integer."""

    low: int | None = None
    """Smallest legal value; None where nothing bounds it."""
    high: int | None = None
    step: int = 1
    """The value is a multiple of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Real:
    """A finite number."""

    low: float | None = None
    high: float | None = None
    open_low: bool = False
    """The lower bound itself is not legal."""
    open_high: bool = False
    step: float | None = None
    """The value is a multiple of it, in floating-point division."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A string."""

    least: int = 0
    """Smallest length, in characters."""
    most: int | None = None
    patterns: tuple[Pattern, ...] = ()
    """Each must be found in the text."""
    format: str = ""
    """Name of a format, as an annotation: it shapes samples and refuses nothing."""
    ideas: tuple[tuple[str, ...], ...] = ()
    """Groups of texts worth writing; they restrict nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """A list."""

    prefix: "tuple[Node, ...]" = ()
    """What the first elements are."""
    rest: "Node"
    """What the others are."""
    least: int = 0
    most: int | None = None
    unique: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One named member of an object."""

    name: str
    node: "Node"
    required: bool
    description: str = ""
    default: Json = None
    """The declared default; None where there is none, or where it is null."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """A JSON object."""

    fields: tuple[Field, ...]
    rest: "Node"
    """What members of other names are."""
    least: int = 0
    """Smallest number of members."""
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """A value of one of several kinds; of none where there are no options."""

    options: "tuple[Node, ...]"
    exclusive: bool = False
    """It must fit exactly one option."""
    meant: "tuple[Node, ...] | None" = None
    """The options to draw from, where the others are legal by omission only (a schema that
    bounds numbers and names no type lets any text pass)."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value."""


@dataclass(frozen=True, slots=True)
class Link:
    """A named node of the same space; a space can contain itself through it."""

    name: str


Node: TypeAlias = Choice | Whole | Real | Text | Array | Object | Union | Anything | Link

NEVER = Union(options=())
ANYTHING = Anything()


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """All legal actions, as a tree and the named nodes it refers to."""

    root: Node
    named: Mapping[str, Node] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    """Keywords of the schema that restrict actions and were not understood: an action drawn
    from here may break them."""
    heights: dict[int, float] = field(default_factory=dict, repr=False, compare=False)
    """What `height` has found of nodes, by identity."""


def resolve(space: Space, node: Node) -> Node:
    """Return the node behind a link; a chain of links without an end stands for nothing."""
    for _ in range(DEEPEST):
        if not isinstance(node, Link):
            return node
        node = space.named[node.name]
    return NEVER


def identity(value: Json) -> str:
    """Return a text that two values share exactly when JSON Schema calls them equal."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Json) -> Json:
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return int(value)
    if isinstance(value, list):
        return [_plain(element) for element in value]
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    return value
