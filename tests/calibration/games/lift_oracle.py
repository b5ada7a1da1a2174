"""Drives a lift to the passenger, then to where the passenger wants to go."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the command: go where one must be, and open the door there."""
    rider = observation["rider"]
    wanted = rider["to"] if observation["aboard"] else rider["at"]
    if observation["floor"] == wanted:
        return {"command": {"kind": "open"}}
    return {"command": {"kind": "go", "floor": wanted}}
