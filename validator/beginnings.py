"""Scores of the beginnings of episodes, to compare them with others that were left early."""

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
    """Return the scores of some scored episodes, cut to the length of those that were left early.

    Where steps cost something, whoever leaves early looks better than whoever goes on. So each
    episode is scored by no more steps than the shortest of those left on the same start had; where
    none was left there, by all of its steps.

    Args:
        rows: Scored episodes.
        left: Episodes that their probe left, to compare with.
        rule: How the rewards of an episode make its score.

    Returns:
        One score for each of `rows`, in their order.
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
    """Return the episodes whose score could not have become worse by going on.

    Those that their probe left are dropped where some step was paid less than zero: what they did
    not play might have cost them something.
    """
    if all(min(row.values, default=0.0) >= 0.0 for row in rows):
        return list(rows)
    return [row for row in rows if row.ended != "left"]
