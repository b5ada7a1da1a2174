"""Pumps what is missing."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the dose that one of the tanks lacks, the one that lacks more first."""
    tanks = observation["tanks"]
    lacks = {name: tank["wanted"] - tank["level"] for name, tank in tanks.items()}
    name = max(lacks, key=lambda one: abs(lacks[one]))
    return {"dose": {"tank": name, "litres": lacks[name]}}
