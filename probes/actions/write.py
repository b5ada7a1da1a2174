"""Narrows actions to those that write given texts."""

from collections.abc import Sequence
from dataclasses import replace

from probes.actions.hints import words_noted
from probes.actions.sample import IGNORED
from probes.actions.space import (
    Anything,
    Array,
    Choice,
    Field,
    Link,
    Node,
    Object,
    Space,
    Text,
    Union,
    resolve,
)
from probes.base import Json, Unplayable

DEEPEST = 12
"""Levels below which nothing is written."""
SELECTING = frozenset(
    {"type", "kind", "id", "mode", "role", "tool", "tool_name", "function", "path", "file",
     "filename", "file_name", "url", "language"}
)  # fmt: skip
"""Names of texts that choose among things: not written, where there are others."""


def writing(space: Space, texts: Sequence[str], *, listed: Sequence[str] = ()) -> Space:
    """Return the actions that write one of `texts` wherever they take a free text.

    A text that is too long is cut. A list of texts gets all of `listed` that it has room for
    where something is listed, else elements of `texts`. Optional texts are written, too, and
    options of a union that take no text are left out. Metadata is left alone.

    Raises:
        Unplayable: no action takes a free text, or none of the given ones.
    """
    for everything in (False, True):
        writer = _Writer(space, tuple(dict.fromkeys(texts)), tuple(listed), everything)
        root = writer.node(space.root, None, 0)
        if root is not None:
            named = {name: writer.node(node, None, 0) or node for name, node in space.named.items()}
            return replace(space, root=root, named=named, heights={})
    raise Unplayable("no action takes a free text of this kind")


class _Writer:
    """Writes into a tree; what takes no text is None."""

    def __init__(
        self, space: Space, texts: tuple[str, ...], listed: tuple[str, ...], everything: bool
    ) -> None:
        self._space = space
        self._texts = texts
        self._listed = listed
        self._everything = everything
        """Texts that choose among things are written, too."""

    def node(self, node: Node, field: Field | None, depth: int) -> Node | None:
        if depth > DEEPEST or (isinstance(node, Link) and depth > DEEPEST // 2):
            return None
        match known := resolve(self._space, node):
            case Text():
                return self._text(known, field)
            case Anything():
                return Choice(self._texts) if self._texts else None
            case Array():
                return self._array(known, field, depth)
            case Object(fields=fields):
                return self._object(known, fields, depth)
            case Union(options=options, meant=meant):
                written = self._options(options if meant is None else meant, field, depth)
                return Union(options=written) if written else None
        return None

    def _text(self, node: Text, field: Field | None) -> Node | None:
        if node.patterns or not (self._everything or _is_free(field)):
            return None
        cut = (text[: node.most] for text in self._texts)
        kept = tuple(dict.fromkeys(text for text in cut if len(text) >= node.least))
        return Choice(kept) if kept else None

    def _array(self, node: Array, field: Field | None, depth: int) -> Node | None:
        if node.prefix or node.most == 0:
            return None
        inner = resolve(self._space, node.rest)
        if self._listed and isinstance(inner, Text) and not inner.patterns:
            cut = (text[: inner.most] for text in self._listed if len(text) >= inner.least)
            many: list[Json] = list(dict.fromkeys(cut))
            many = many[: node.most]
            return Choice((many,)) if many and len(many) >= node.least else None
        rest = self.node(node.rest, field, depth + 1)
        return None if rest is None else replace(node, rest=rest, least=max(1, node.least))

    def _object(self, node: Object, fields: tuple[Field, ...], depth: int) -> Node | None:
        found: list[Field] = []
        wrote = False
        for one in fields:
            new = None if one.name in IGNORED else self.node(one.node, one, depth + 1)
            wrote = wrote or new is not None
            found.append(one if new is None else replace(one, node=new, required=True))
        return replace(node, fields=tuple(found)) if wrote else None

    def _options(
        self, options: tuple[Node, ...], field: Field | None, depth: int
    ) -> tuple[Node, ...]:
        written = (self.node(option, field, depth + 1) for option in options)
        return tuple(one for one in written if one is not None)


def _is_free(field: Field | None) -> bool:
    """Say whether a text says something, rather than choosing among things."""
    if field is None:
        return True
    return field.name.lower() not in SELECTING and not words_noted(field.description)
