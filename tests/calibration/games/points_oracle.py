"""Reads the way of a train from the plan."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return how the points lie for the waiting train."""
    return {"points": observation["plan"].get(observation["waiting"], [False] * 3)}
