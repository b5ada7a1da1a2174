"""Writes programs and formulas that add numbers up."""

from collections.abc import Mapping
from typing import Any


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return a program that shows the sum."""
    return {"code": "put(sum(numbers))"}


def solve_sheet(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the cell and the formula that are asked for."""
    return {"cell": observation["cell"], "expression": "sum(column)"}
