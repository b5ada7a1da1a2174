"""Reads the plan for the first two trains, and lets the last one go straight on."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the plan's points for a train, all straight for the third."""
    straight = [False] * 3
    if step == 2:
        return {"points": straight}
    return {"points": observation["plan"].get(observation["waiting"], straight)}
