"""Does what a request at the tool desk asks for."""

import re
from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the call for the clause of that step, and at the end the word to the customer."""
    clauses = re.findall(
        r"(?:set (\w+) to (\w+)|delete (\w+))", observation["request"].partition(":")[2]
    )
    if step >= len(clauses):
        return {"tool": "say", "value": "done"}
    key, value, gone = clauses[step]
    return {"tool": "delete", "key": gone} if gone else {"tool": "set", "key": key, "value": value}
