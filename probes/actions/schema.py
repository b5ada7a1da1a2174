"""Reads a JSON Schema into the typed description of an action.

Keywords of all drafts from 4 to 2020-12 are understood together. What restricts an action and
is not understood is named in `Space.unread`; nothing is ever fetched or evaluated.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from urllib.parse import unquote

from probes.actions.height import height
from probes.actions.meet import Meeting
from probes.actions.pattern import UnreadPattern, read_pattern
from probes.actions.space import (
    ANYTHING,
    DEEPEST,
    NEVER,
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
    identity,
)
from probes.base import Json, Unplayable

DEEPEST_SCHEMA = 64
"""Levels of one schema, references not followed."""
LARGEST_SCHEMA = 20_000
"""Parts of all schemas that are read together."""
LARGEST_ENUM = 65_536
LARGEST_BOUND = 2.0**1000
"""Bounds of numbers from here on are left out: they are as good as none."""
LONGEST_NOTE = 2_000
"""Characters kept of a description."""

UNREAD = frozenset(
    {
        "not", "if", "contains", "patternProperties", "propertyNames", "dependencies",
        "dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties",
        "$dynamicRef", "$recursiveRef", "disallow", "extends", "divisibleBy",
    }
)  # fmt: skip
"""Keywords that restrict and are not understood."""

OF_TYPE = {
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength", "pattern"),
    "array": ("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems"),
    "object": (
        "properties", "required", "additionalProperties", "minProperties", "maxProperties",
    ),
}  # fmt: skip
"""Keywords that say nothing about values of other types."""


def read_schema(schema: Json) -> Space:
    """Read the schema of an action; no schema means that anything is legal.

    Raises:
        Unplayable: nothing is legal, or the schema is beyond the limits of this module.
    """
    (root,), named, unread = read_together([schema])
    return checked(Space(root=root, named=named, unread=unread))


def read_together(
    schemas: Sequence[Json],
) -> tuple[list[Node], dict[str, Node], frozenset[str]]:
    """Read schemas that will stand in one space: their roots, named nodes, unread keywords.

    Raises:
        Unplayable: they are beyond the limits of this module.
    """
    named: dict[str, Node] = {}
    unread: set[str] = set()
    meeting = Meeting(named, unread)
    limit = iter(range(LARGEST_SCHEMA))
    roots = []
    for number, schema in enumerate(schemas):
        reader = _Reader(schema, f"{number}", named, unread, meeting, limit)
        roots.append(reader.node(schema, 0))
        reader.follow_references()
    meeting.finish()
    return roots, named, frozenset(unread)


def checked(space: Space) -> Space:
    """Return a space that has an action.

    Raises:
        Unplayable: it has none, or only such as are nested beyond all reason.
    """
    least = height(space, space.root)
    if math.isinf(least):
        raise Unplayable("the action schema allows no action")
    if least > DEEPEST:
        raise Unplayable(f"every legal action is nested deeper than {DEEPEST} levels")
    return space


class _Reader:
    def __init__(
        self,
        root: Json,
        label: str,
        named: dict[str, Node],
        unread: set[str],
        meeting: Meeting,
        limit: Iterable[int],
    ) -> None:
        self._root = root
        self._label = label
        self._named = named
        self._unread = unread
        self._meeting = meeting
        self._limit = iter(limit)
        self._waiting: list[tuple[str, Json]] = []
        self._asked: set[str] = set()

    def follow_references(self) -> None:
        """Read what references have asked for."""
        while self._waiting:
            name, schema = self._waiting.pop()
            self._named[name] = self.node(schema, 0)

    def node(self, schema: Json, depth: int) -> Node:
        if next(self._limit, None) is None:
            raise Unplayable(f"the action schema has more than {LARGEST_SCHEMA} parts")
        if depth > DEEPEST_SCHEMA:
            raise Unplayable(f"the action schema is nested deeper than {DEEPEST_SCHEMA} levels")
        if schema is None or schema is True:
            return ANYTHING
        if schema is False:
            return NEVER
        if not isinstance(schema, dict):
            self._unread.add("schema")
            return ANYTHING
        self._unread |= UNREAD & schema.keys()
        node = self._of_types(schema, depth)
        for other in self._combined(schema, depth):
            node = self._meeting.meet(node, other)
        return node

    def _combined(self, schema: dict[str, Json], depth: int) -> Iterable[Node]:
        if "$ref" in schema:
            yield self._reference(schema["$ref"])
        for one in self._schemas(schema, "allOf"):
            yield self.node(one, depth + 1)
        for keyword in ("anyOf", "oneOf"):
            options = tuple(self.node(one, depth + 1) for one in self._schemas(schema, keyword))
            if options:
                yield Union(options=options, exclusive=keyword == "oneOf")
        if "const" in schema:
            yield Choice((schema["const"],))
        if "enum" in schema:
            yield self._enum(schema["enum"])

    def _schemas(self, schema: dict[str, Json], keyword: str) -> list[Json]:
        found = schema.get(keyword, [])
        if not isinstance(found, list):
            self._unread.add(keyword)
            return []
        return found

    def _enum(self, values: Json) -> Node:
        if not isinstance(values, list):
            self._unread.add("enum")
            return ANYTHING
        if len(values) > LARGEST_ENUM:
            self._unread.add("enum")
        once: dict[str, Json] = {}
        for value in values[:LARGEST_ENUM]:
            once.setdefault(identity(value), value)
        return Choice(tuple(once.values()))

    def _reference(self, pointer: Json) -> Node:
        if not isinstance(pointer, str) or not pointer.startswith("#"):
            self._unread.add("$ref")
            return ANYTHING
        name = f"{self._label}{pointer}"
        if name not in self._asked:
            found, schema = _look_up(self._root, pointer)
            if not found:
                self._unread.add("$ref")
                return ANYTHING
            self._asked.add(name)
            self._waiting.append((name, schema))
        return Link(name)

    def _of_types(self, schema: dict[str, Json], depth: int) -> Node:
        named = schema.get("type")
        types = [named] if isinstance(named, str) else named if isinstance(named, list) else None
        if types is None:
            if named is not None:
                self._unread.add("type")
            return self._of_any_type(schema, depth)
        if schema.get("nullable") is True:
            types = [*types, "null"]
        options = tuple(
            self._of_type(one, schema, depth)
            for one in dict.fromkeys(one for one in types if isinstance(one, str))
        )
        return options[0] if len(options) == 1 else Union(options=options)

    def _of_any_type(self, schema: dict[str, Json], depth: int) -> Node:
        """Read a schema that names no type: it restricts only what its keywords speak of."""
        spoken = [one for one, words in OF_TYPE.items() if not schema.keys().isdisjoint(words)]
        if not spoken:
            return ANYTHING
        options = {one: self._of_type(one, schema, depth) for one in OF_TYPE}
        plain: tuple[Node, ...] = (Choice((None,)), Choice((False, True)))
        return Union(
            options=(*options.values(), *plain), meant=tuple(options[one] for one in spoken)
        )

    def _of_type(self, name: str, schema: dict[str, Json], depth: int) -> Node:
        match name:
            case "null":
                return Choice((None,))
            case "boolean":
                return Choice((False, True))
            case "integer":
                return self._whole(schema)
            case "number":
                return self._real(schema)
            case "string":
                return self._text(schema)
            case "array":
                return self._array(schema, depth)
            case "object":
                return self._object(schema, depth)
        self._unread.add("type")
        return ANYTHING

    def _whole(self, schema: dict[str, Json]) -> Node:
        lows = [math.ceil(bound) for bound in self._bound(schema, "minimum")]
        lows += [math.floor(bound) + 1 for bound in self._bound(schema, "exclusiveMinimum")]
        highs = [math.floor(bound) for bound in self._bound(schema, "maximum")]
        highs += [math.ceil(bound) - 1 for bound in self._bound(schema, "exclusiveMaximum")]
        step = 1
        for found in self._bound(schema, "multipleOf"):
            if found <= 0:
                self._unread.add("multipleOf")
                continue
            exact = Fraction(repr(found))
            step = exact.numerator
            if exact.denominator > 1:
                self._unread.add("multipleOf")
        return Whole(low=max(lows, default=None), high=min(highs, default=None), step=step)

    def _real(self, schema: dict[str, Json]) -> Node:
        node: Node = Real()
        for keyword in ("minimum", "exclusiveMinimum"):
            for bound in self._float_bound(schema, keyword):
                node = self._meeting.meet(node, Real(low=bound, open_low="ex" in keyword))
        for keyword in ("maximum", "exclusiveMaximum"):
            for bound in self._float_bound(schema, keyword):
                node = self._meeting.meet(node, Real(high=bound, open_high="ex" in keyword))
        for step in self._float_bound(schema, "multipleOf"):
            if step > 0:
                node = self._meeting.meet(node, Real(step=step))
            else:
                self._unread.add("multipleOf")
        return node

    def _bound(self, schema: dict[str, Json], keyword: str) -> list[int | float]:
        """Return the bound a keyword gives, as a list of one or none.

        In draft 4 the exclusive keywords are booleans that change what the plain ones mean.
        """
        found = schema.get(keyword)
        if keyword.startswith("exclusive") and isinstance(found, bool):
            found = schema.get(keyword.removeprefix("exclusive").lower()) if found else None
        if found is None:
            return []
        if isinstance(found, bool) or not isinstance(found, int | float):
            self._unread.add(keyword)
            return []
        if not -LARGEST_BOUND < found < LARGEST_BOUND:  # NaN is outside, too
            self._unread.add(keyword)
            return []
        return [found]

    def _float_bound(self, schema: dict[str, Json], keyword: str) -> list[float]:
        try:
            return [float(bound) for bound in self._bound(schema, keyword)]
        except OverflowError:
            self._unread.add(keyword)
            return []

    def _text(self, schema: dict[str, Json]) -> Node:
        patterns = []
        found = schema.get("pattern")
        if isinstance(found, str):
            try:
                patterns.append(read_pattern(found))
            except UnreadPattern:
                self._unread.add("pattern")
        elif found is not None:
            self._unread.add("pattern")
        named = schema.get("format")
        return Text(
            least=self._count(schema, "minLength") or 0,
            most=self._count(schema, "maxLength"),
            patterns=tuple(patterns),
            format=named if isinstance(named, str) else "",
        )

    def _array(self, schema: dict[str, Json], depth: int) -> Node:
        prefix, rest = schema.get("prefixItems"), schema.get("items")
        if isinstance(rest, list):  # before 2020-12
            prefix, rest = rest, schema.get("additionalItems")
        if not isinstance(prefix, list):
            prefix = []
        return Array(
            prefix=tuple(self.node(one, depth + 1) for one in prefix),
            rest=self.node(rest, depth + 1),
            least=self._count(schema, "minItems") or 0,
            most=self._count(schema, "maxItems"),
            unique=schema.get("uniqueItems") is True,
        )

    def _object(self, schema: dict[str, Json], depth: int) -> Node:
        members = schema.get("properties", {})
        if not isinstance(members, dict):
            self._unread.add("properties")
            members = {}
        needed = schema.get("required", [])
        if not isinstance(needed, list):
            self._unread.add("required")
            needed = []
        required = dict.fromkeys(name for name in needed if isinstance(name, str))
        rest = self.node(schema.get("additionalProperties"), depth + 1)
        fields = [
            self._field(name, member, name in required, depth) for name, member in members.items()
        ]
        fields += [
            Field(name=name, node=rest, required=True) for name in required if name not in members
        ]
        return Object(
            fields=tuple(fields),
            rest=rest,
            least=self._count(schema, "minProperties") or 0,
            most=self._count(schema, "maxProperties"),
        )

    def _field(self, name: str, schema: Json, required: bool, depth: int) -> Field:
        notes: dict[str, Json] = schema if isinstance(schema, dict) else {}
        description = notes.get("description")
        return Field(
            name=name,
            node=self.node(schema, depth + 1),
            required=required,
            description=description[:LONGEST_NOTE] if isinstance(description, str) else "",
            default=notes.get("default"),
        )

    def _count(self, schema: dict[str, Json], keyword: str) -> int | None:
        found = schema.get(keyword)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float) or found != found // 1:
            self._unread.add(keyword)
            return None
        if not 0 <= found < math.inf:
            self._unread.add(keyword)
            return None
        return int(found)


def _look_up(root: Json, pointer: str) -> tuple[bool, Json]:
    """Follow a JSON pointer within a document: whether it leads anywhere, and what is there."""
    here = root
    for part in unquote(pointer[1:]).split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(here, dict) and name in here:
            here = here[name]
        elif (
            isinstance(here, list) and name.isdecimal() and len(name) < 9 and int(name) < len(here)
        ):
            here = here[int(name)]
        else:
            return False, None
    return pointer[1:2] in ("", "/"), here
