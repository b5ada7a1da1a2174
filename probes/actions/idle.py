"""Finds the action that does nothing, or as little as there is."""

import re
from collections.abc import Iterator

from probes.actions.fit import fits
from probes.actions.hints import codes_noted, words_noted
from probes.actions.sample import minimal
from probes.actions.space import Choice, Field, Node, Object, Space, Text, Union, Whole, resolve
from probes.base import Json, Unplayable

IDLE = ("noop", "nop", "donothing", "nothing", "none", "pass", "stay", "wait", "idle", "skip")
"""Words for doing nothing, the surest first, without case and punctuation."""
LOOKING = frozenset(
    {"get", "list", "show", "look", "view", "read", "status", "describe", "observe", "inspect"}
)
"""First words of the names of tools that only look."""
DEEPEST = 4
MOST_VALUES = 2_000
"""Members of an enum, and options of a union, that are looked at."""


def idle_action(space: Space) -> Json:
    """Return the action that does nothing, as far as names tell.

    In this order: an enum member, tool, listed word or explained number named for doing nothing
    (`IDLE`); a tool without needed arguments whose name says that it only looks (`LOOKING`); the
    least legal action (zeros, empty texts, first options).

    Raises:
        Unplayable: what is least by each part is not legal as a whole.
    """
    for word in IDLE:
        for action in _named(space, space.root, None, word, 0):
            if fits(space, space.root, action):
                return action
    for option in _options(space):
        if _only_looks(space, option):
            return minimal(Space(root=option, named=space.named))
    return minimal(space)


def _named(space: Space, node: Node, field: Field | None, word: str, depth: int) -> Iterator[Json]:
    """Yield values that say the word for doing nothing, the rest of them as little as may be."""
    if depth > DEEPEST:
        return
    noted = field.description if field is not None else ""
    match node := resolve(space, node):
        case Choice(values=values):
            yield from (one for one in values[:MOST_VALUES] if _says(one, word))
            yield from (
                code
                for code, meaning in codes_noted(noted).items()
                if code in values[:MOST_VALUES] and _says(meaning, word)
            )
        case Whole():
            codes = codes_noted(noted).items()
            yield from (code for code, meaning in codes if _says(meaning, word))
        case Text():
            yield from (one for one in words_noted(noted) if _says(one, word))
        case Union(options=options, meant=meant):
            for option in (options if meant is None else meant)[:MOST_VALUES]:
                yield from _named(space, option, field, word, depth + 1)
        case Object(fields=fields):
            for one in fields:
                for value in _named(space, one.node, one, word, depth + 1):
                    yield from _with_member(space, node, one, value)


def _with_member(space: Space, node: Object, one: Field, value: Json) -> Iterator[Json]:
    try:
        least = minimal(Space(root=node, named=space.named))
    except Unplayable:
        return
    if isinstance(least, dict):
        yield {**least, one.name: value}


def _says(value: Json, word: str) -> bool:
    return isinstance(value, str) and re.sub(r"[^a-z]", "", value[:40].lower()) == word


def _options(space: Space) -> Iterator[Object]:
    root = resolve(space, space.root)
    for option in root.options[:MOST_VALUES] if isinstance(root, Union) else ():
        found = resolve(space, option)
        if isinstance(found, Object):
            yield found


def _only_looks(space: Space, call: Object) -> bool:
    members = {one.name: resolve(space, one.node) for one in call.fields}
    name = members.get("tool_name")
    if not isinstance(name, Choice) or not isinstance(name.values[0], str):
        return False
    first = re.split(r"[^a-z]", name.values[0].lower())[0]
    needed = [
        inner.name
        for member in members.values()
        if isinstance(member, Object)
        for inner in member.fields
        if inner.required
    ]
    return first in LOOKING and not needed
