"""Frames of the protocol as values, unrepaired."""

import json
from dataclasses import dataclass
from typing import Literal, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
"""A parsed JSON value. Python's parser also yields NaN and infinities: they are kept."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as it went over the wire."""

    way: Literal["sent", "received"]
    text: str
    """The text, character for character; a frame cut by the keep limit ends in a note."""
    seconds: float
    """Since the session was opened."""


DEPTH = 200
"""Deepest nesting taken: deeper values cannot be walked or written again safely."""


def parse(text: str) -> Json:
    """Return a JSON text as values, unrepaired: NaN and infinities are kept.

    Raises:
        ValueError: it is no JSON, or nested deeper than `DEPTH`.
    """
    try:
        value: Json = json.loads(text)
    except RecursionError:
        raise ValueError(f"nested deeper than {DEPTH} levels") from None
    if text.count("[") + text.count("{") > DEPTH and _depth_exceeds(value):
        raise ValueError(f"nested deeper than {DEPTH} levels")
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
