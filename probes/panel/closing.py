"""Finds the actions that end an episode by their name: submit, finish, done."""

import re
from collections.abc import Iterator

from probes.actions.enumerate import enumerate_actions
from probes.actions.space import Space, Union, resolve
from probes.base import Json

CLOSES = frozenset(
    {"submit", "finish", "finished", "done", "end", "complete", "completed", "confirm", "close",
     "stop", "final", "finalize", "finalise", "conclude"}
)  # fmt: skip
MOST = 8
MOST_OF_ONE = 60
"""Actions of one option that are looked at."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def closings(space: Space) -> tuple[Json, ...]:
    """Return actions whose tool or enum member is named for ending, those first listed first."""
    root = resolve(space, space.root)
    options = root.options if isinstance(root, Union) else (root,)
    found: list[Json] = []
    for option in options:
        listed = enumerate_actions(Space(root=option, named=space.named), MOST_OF_ONE).actions
        found += [action for action in listed if any(map(_says_so, _texts(action)))][:1]
        if len(found) == MOST:
            break
    return tuple(found)


def _says_so(text: str) -> bool:
    return any(word.lower() in CLOSES for word in _WORD.findall(text[:60]))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else ():
        yield from _texts(inner)
