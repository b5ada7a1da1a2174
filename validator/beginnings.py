"""Scores of beginnings: what an episode that its probe left is to be held against."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from validator.scoring import Rule
from validator.table import Row, start_of


def left_early(rows: Iterable[Row]) -> list[Row]:
    """Return the episodes that their probe left: what more steps would have paid is not known."""
    return [row for row in rows if row.ended == "left"]


def score_of_beginning(row: Row, answered: int, rule: Rule) -> float:
    """Return what the first answered steps of a scored episode come to, 0 for none of them."""
    paid = [kind for kind in map(row.kind_at, range(row.steps)) if kind != "error"]
    numbers = row.values[: paid[:answered].count("number")]
    if not numbers:
        return 0.0
    match rule:
        case "sum":
            return math.fsum(numbers)
        case "last":
            return float(numbers[-1])
        case "max":
            return float(max(numbers))


def scores_as_long(rows: Sequence[Row], left: Sequence[Row], rule: Rule) -> NDArray[np.float64]:
    """Return the scores of some scored episodes, cut to the length of those that were left.

    Each is cut to the shortest of its start; where none was left there, it is whole. Steps that
    cost make whoever leaves early look better than whoever goes on.
    """
    shortest: dict[str, int] = {}
    for row in left:
        start = start_of(row.key)
        shortest[start] = min(row.answered, shortest.get(start, row.answered))
    found = []
    for row in rows:
        answered = shortest.get(start_of(row.key))
        whole = answered is None or row.answered <= answered
        found.append(row.score if whole else score_of_beginning(row, answered or 0, rule))
    return np.array(found, dtype=float)


def settled(rows: Sequence[Row]) -> list[Row]:
    """Return the episodes whose score is no better than they would have ended with.

    All, where no step was ever paid less than nothing.
    """
    if all(min(row.values, default=0.0) >= 0.0 for row in rows):
        return list(rows)
    return [row for row in rows if row.ended != "left"]
