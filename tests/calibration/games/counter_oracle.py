"""Always counts on, where no trap is shown."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the action that adds, or the other one before a trap."""
    return {"add": 0 if observation.get("next") == "trap" else 1}
