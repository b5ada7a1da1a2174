"""Knows how to put parcels in order."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the places of the parcels, lightest first."""
    parcels = observation["parcels"]
    return {"order": sorted(range(len(parcels)), key=lambda place: parcels[place]["grams"])}


def solve_heaviest(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the name of the heaviest parcel, and no other."""
    return {"heaviest": [max(observation["parcels"], key=lambda one: one["grams"])["name"]]}
