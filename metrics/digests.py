"""A short name for what a recording shows, equal wherever only ids, clocks or rounding differ."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics.volatile import is_clock, kind_of_name, masked

LENGTH = 16
"""Hexadecimal digits of a digest: 64 bits."""


def digest(recording: Sequence[Mapping[str, Any]]) -> str:
    """Return a hash of a recording that leaves out what no one promises to repeat.

    Recordings between which `first_divergence` finds but ids, times and jitter have one digest.
    To that end fractional numbers are left out altogether, and so are numbers that may be a time
    since 1970. The order of keys does not count.

    Args:
        recording: One mapping a step, from channel to parsed JSON.

    Returns:
        The first 64 bits of a SHA-256, in hexadecimal.

    Example:
        >>> one = digest([{"observation": {"text": "go", "request_id": 7}}])
        >>> two = digest([{"observation": {"request_id": 8, "text": "go"}}])
        >>> one == two, one == digest([{"observation": {"text": "stop", "request_id": 7}}])
        (True, False)
    """
    found = hashlib.sha256()
    for piece in _pieces([dict(step) for step in recording]):
        found.update(piece.encode("utf-8", "surrogatepass"))
    return found.hexdigest()[:LENGTH]


def _pieces(value: Any) -> Iterator[str]:
    """Yield a text that spells a value, without recursion."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        name, one = waiting.pop()
        if type(one) is dict:
            names = sorted(one, key=lambda key: (masked(key), key))
            yield "{" + json.dumps([masked(key) for key in names])
            waiting += [(key, one[key]) for key in reversed(names)]
        elif type(one) is list:
            yield f"[{len(one)}"
            waiting += [(name, inner) for inner in reversed(one)]
        else:
            yield _leaf(name, one) + ";"


def _leaf(name: str, value: Any) -> str:
    if type(value) in (str, int, float) and kind_of_name(name) is not None:
        return "<named>"
    if type(value) is str:
        return json.dumps(masked(value))
    if type(value) is float or (type(value) is int and is_clock(value)):
        return "<number>"
    return json.dumps(value)
