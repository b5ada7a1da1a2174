"""Reads the order number out of a letter."""

import re
from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the only text of the letter that has the form of an order number."""
    found = re.search(r"\b[A-Z]{2}-\d{5}\b", observation["letter"]["body"])
    assert found is not None
    return {"fields": {"order": found[0], "reply_to": observation["letter"]["sender"]}}
