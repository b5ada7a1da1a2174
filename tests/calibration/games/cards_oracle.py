"""Sees which card is the greatest."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the place of the greatest number."""
    return {"card": observation["numbers"].index(max(observation["numbers"]))}
