"""The shortest way of a line walk."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the move towards the goal, by way of the lantern where one is wanted."""
    dark = not observation.get("lit", True)
    ahead = observation["lantern" if dark else "goal"] - observation["position"]
    return {"move": "right" if ahead > 0 else "left" if ahead < 0 else "stay"}
