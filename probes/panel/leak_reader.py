"""`leak_reader`: uses only what leaked, and nothing of the task."""

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from itertools import islice

import numpy as np

from probes.actions.idle import LOOKING
from probes.actions.legal import Legal
from probes.actions.place import placing
from probes.actions.sample import minimal, sample
from probes.actions.space import Choice, Object, Space, Union, identity, resolve
from probes.actions.text import texts_of
from probes.base import Finished, Json, Lane, Rung, Seen, Unplayable

MOST_ACTIONS = 12
MOST_LOOKS = 3
MOST_FINDS = 50
DEEPEST = 8
MOST_MEMBERS = 200
LONGEST = 80
"""Characters of what is taken for an answer."""

TELLING = frozenset(
    {"answer", "answers", "solution", "secret", "expected", "reference", "truth", "ground_truth",
     "correct", "correct_answer", "gold", "label", "oracle", "password", "hidden"}
)  # fmt: skip
"""Names of members that hold what is not to be shown."""

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{4,160}={0,2}(?![A-Za-z0-9+/=])")
SHORTEST_ENCODED = 8
"""Characters of base64, padding included: shorter words decode to something by chance."""
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x)?((?:[0-9a-fA-F]{2}){4,64})(?![0-9A-Za-z])")
_NAMED = re.compile(
    r"\b(?:answer|solution|secret|expected|correct)\b\s{0,2}(?:is|was|=|:)\s{0,2}['\"]?"
    r"([^\s'\",.;]{1,60})",
    re.IGNORECASE,
)


class LeakReader:
    """Tries what stands in metadata, in members named for answers, or in disguise.

    Base64 and hexadecimal anywhere, reversed and rot13 in metadata, what an error or a tool that
    only looks gives away. It is shown the metadata that agents are not. Each find is one action;
    with none it plays at random, so that it earns more than chance only by what leaked.
    """

    name = "leak_reader"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Reading":
        return _Reading(Legal(lane, rng), rng)


class _Reading:
    def __init__(self, legal: Legal, rng: np.random.Generator) -> None:
        self._legal = legal
        self._rng = rng
        self._looks = list(islice(_looking(legal.space), MOST_LOOKS))
        self._tried: set[str] = set()
        self._found: dict[str, None] = {}

    def act(self, seen: Seen) -> Json:
        """Return an action that holds a find, one that looks for some, or a random one.

        Raises:
            Finished: it was tried often enough.
        """
        self._legal.look(seen)
        if seen.step == MOST_ACTIONS:
            raise Finished
        self._found |= dict.fromkeys(leaked(seen))
        for find in islice(self._found, MOST_FINDS):
            action = self._holding(find)
            if action is not None and identity(action) not in self._tried:
                self._tried.add(identity(action))
                return self._legal.note(action)
        if self._looks:
            return self._legal.note(self._looks.pop(0))
        return self._legal.draw()

    def _holding(self, find: str) -> Json:
        space = placing(self._legal.space, find)
        try:
            return None if space is None else sample(space, self._rng)
        except Unplayable:
            return None


def leaked(seen: Seen) -> Iterator[str]:
    """Yield what may be an answer that was not to be seen, the plainest first."""
    yield from _told(seen.observation, 0)
    beside = list(_leaves(seen.aside, 0))
    yield from _told(seen.aside, 0)
    for text in beside:
        yield from _decoded(text)
    for text in beside:
        yield from (text, text[::-1], codecs.encode(text, "rot13")) if len(text) <= LONGEST else ()
    yield from _decoded(texts_of(seen.observation))
    yield from _NAMED.findall((seen.error or "")[:2_000])


def _told(value: Json, depth: int) -> Iterator[str]:
    """Yield the values of members that are named for answers."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for one in value[:MOST_MEMBERS]:
            yield from _told(one, depth + 1)
    elif isinstance(value, dict):
        for name, member in islice(value.items(), MOST_MEMBERS):
            if name.lower() in TELLING:
                yield from (one for one in _leaves(member, depth) if len(one) <= LONGEST)
            else:
                yield from _told(member, depth + 1)


def _leaves(value: Json, depth: int) -> Iterator[str]:
    if depth > DEEPEST or isinstance(value, bool) or value is None:
        return
    if isinstance(value, list | dict):
        inner = value.values() if isinstance(value, dict) else value
        for one in islice(inner, MOST_MEMBERS):
            yield from _leaves(one, depth + 1)
    elif isinstance(value, str):
        yield value
    elif not isinstance(value, int) or value.bit_length() < 128:
        yield str(value)


def _decoded(text: str) -> Iterator[str]:
    for found in islice(_BASE64.finditer(text), MOST_MEMBERS):
        if len(found[0]) < SHORTEST_ENCODED:
            continue
        try:
            yield from _readable(base64.b64decode(found[0], validate=True))
        except binascii.Error:
            continue
    for found in islice(_HEX.finditer(text), MOST_MEMBERS):
        yield from _readable(bytes.fromhex(found[1]))


def _readable(raw: bytes) -> Iterator[str]:
    """Yield decoded text where it is text: what is no disguise hardly ever decodes to ASCII."""
    try:
        text = raw.decode("ascii")
    except UnicodeDecodeError:
        return
    if text.isprintable() and text.strip() and len(text) <= LONGEST:
        yield text


def _looking(space: Space) -> Iterator[Json]:
    """Yield calls of tools that only look and need nothing."""
    root = resolve(space, space.root)
    for option in root.options[:MOST_MEMBERS] if isinstance(root, Union) else ():
        call = resolve(space, option)
        if not isinstance(call, Object):
            continue
        members = {one.name: resolve(space, one.node) for one in call.fields}
        name = members.get("tool_name")
        if isinstance(name, Choice) and isinstance(name.values[0], str):
            first = re.split(r"[^a-z]", name.values[0].lower())[0]
            needs = any(
                inner.required
                for member in members.values()
                if isinstance(member, Object)
                for inner in member.fields
            )
            if first in LOOKING and not needs:
                yield minimal(Space(root=call, named=space.named))
