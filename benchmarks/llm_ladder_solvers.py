"""What solves the environments of `llm_ladder.py`, from what an agent sees alone."""

import re
from typing import Any

SIGNS = re.compile(r"-?\d+|[+*]")
LEFT: dict[int, tuple[int, int]] = {}
"""Numbers that are left in the game of a seed, from lowest to highest."""


def solve_arithmetic(observation: Any, task: Any, step: int) -> dict[str, Any]:
    """Reckon sums of products."""
    signs = SIGNS.findall(re.sub(r"(\d) ?- ?", r"\1 + -1 * ", observation["text"]))
    total, product = 0, 1
    for sign in signs:
        if sign == "+":
            total, product = total + product, 1
        elif sign != "*":
            product *= int(sign)
    return {"answer": total + product}


def solve_grid(observation: Any, task: Any, step: int) -> dict[str, Any]:
    """Go along the columns, then along the rows."""
    x, y, goal_x, goal_y = map(int, re.findall(r"(?:column|row) (\d+)", observation["text"])[:4])
    if x != goal_x:
        return {"move": "right" if x < goal_x else "left"}
    return {"move": "down" if y < goal_y else "up"}


def solve_guess(observation: Any, task: Any, step: int) -> dict[str, Any]:
    """Guess the middle of what is left."""
    low, high = LEFT.get(task["seed"], (1, 16)) if step else (1, 16)
    told = re.search(r"(larger|smaller) than (\d+)", observation["text"])
    if told:
        low, high = (int(told[2]) + 1, high) if told[1] == "larger" else (low, int(told[2]) - 1)
    LEFT[task["seed"]] = low, high
    return {"number": (low + high) // 2}
