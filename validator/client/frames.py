"""Frames of the protocol as values, unrepaired."""

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
