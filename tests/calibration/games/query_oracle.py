"""Words a question about a table as a filter."""

import re
from collections.abc import Mapping
from typing import Any

SIGNS = {"above": ">", "below": "<", "equal to": "="}


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the filter that the question names."""
    found = re.search(r"with (\w+) (above|below|equal to) (\d+)", observation["question"])
    assert found is not None
    where = {"column": found[1], "sign": SIGNS[found[2]], "value": int(found[3])}
    return {"where": where, "limit": None}
