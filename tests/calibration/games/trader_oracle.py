"""Buys before a rise and sells before a fall."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return as many units as are allowed, on the side of the forecast."""
    return {"units": 5 if observation["forecast"] > 0 else -5}
