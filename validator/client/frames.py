"""Frames of the protocol as values, unrepaired."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
"""A parsed JSON value. Python's parser also yields NaN and infinities: they are kept."""


class Frame(NamedTuple):
    """One frame as it went over the wire."""

    way: Literal["sent", "received"]
    text: str
    """The text, character for character; one cut by the keep limit ends in a note (`cut`)."""
    seconds: float
    """Since the session was opened."""


DEPTH = 200
"""Deepest nesting taken: deeper values cannot be walked or written again safely."""
VALUES = 5_000_000
"""Most commas in a text that is parsed: a value takes far more memory than its text."""


def parse(text: str) -> Json:
    """Return a JSON text as values, unrepaired: NaN and infinities are kept.

    Raises:
        ValueError: it is no JSON, or goes beyond `DEPTH` or `VALUES`.
    """
    if len(text) > VALUES and text.count(",") > VALUES:
        raise ValueError(f"more than {VALUES} values")
    try:
        value = _parsed(text)
    except RecursionError:
        raise ValueError(f"nested deeper than {DEPTH} levels") from None
    if text.count("[") + text.count("{") > DEPTH and _depth_exceeds(value):
        raise ValueError(f"nested deeper than {DEPTH} levels")
    return value


def _writer() -> Callable[[Json], str]:
    """Return what writes as `json.dumps` does, without making an encoder for each text."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return json.dumps
    pieces = make(
        None, json.JSONEncoder().default, json.encoder.encode_basestring_ascii, None,
        ": ", ", ", False, False, True,
    )  # fmt: skip
    return lambda value: "".join(pieces(value, 0))


written = _writer()
"""Returns a value as the JSON text that goes over the wire, in ASCII."""

_READER = json.JSONDecoder().raw_decode


def _parsed(text: str) -> Json:
    """Return what `json.loads` does; most texts have no white space around them."""
    try:
        value: Json
        value, end = _READER(text)
        if end == len(text):
            return value
    except ValueError:
        pass
    value = json.loads(text)
    return value


def _depth_exceeds(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(DEPTH + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, list | dict)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, list | dict)
        ]
        if not level:
            return False
    return True


_NOTE = re.compile(r"\n\[cut: \d+ bytes in all, sha256 ([0-9a-f]{64})\]\Z")


def size(text: str) -> int:
    """Return the length of a text in bytes of UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, most: int) -> str:
    """Return at most `most` bytes of a text, and then a note on the whole where it was cut.

    The note gives size and hash of the whole, so that two texts that were cut are equal only
    where the whole texts are. A text with a note is never JSON.

    Example:
        >>> cut("null", 4)
        'null'
        >>> print(cut("[1, 2, 3]", 3)[:25])
        [1,
        [cut: 9 bytes in all,
    """
    if size(text) <= most:
        return text
    whole = text.encode("utf-8", "surrogatepass")
    kept = whole[: max(most, 0)].decode("utf-8", "ignore")
    digest = hashlib.sha256(whole).hexdigest()
    return f"{kept}\n[cut: {len(whole)} bytes in all, sha256 {digest}]"


def hash_of_cut(text: str) -> str | None:
    """Return the sha256 of the whole text that a cut one comes from, None where it is whole."""
    found = _NOTE.search(text[-160:])
    return found.group(1) if found else None
