"""Finds key and door in the cave from what is described."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the command: walk east to the key, then west to the door, which is at the far end."""
    text = observation["text"]
    if "key lies here" in text:
        return {"say": "take key"}
    if "You hold the key" not in text:
        return {"say": "go east"}
    return {"say": "open door" if "door is here" in text else "go west"}
