"""What a learner takes actions to be worth: a table of places seen, a line through features."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probes.learner.features import COLUMNS, RELATIONS, ROWS, Indices

RATE = 0.5
"""Share of an error that one update of the line takes away."""
DRAWN = 1.0
"""Visits that an estimate counts as which is less exact, where the table knows of some."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Option:
    """An action at a place, in features."""

    columns: Indices
    relations: Indices


class Line:
    """A linear estimate over features of state and action, and of both together."""

    def __init__(self) -> None:
        self._weights = np.zeros((ROWS, COLUMNS), dtype=np.float32)
        self._relations = np.zeros(RELATIONS + 2, dtype=np.float64)

    def values(self, rows: Indices, options: list[Option]) -> Floats:
        """Return the estimate of each option."""
        by_column = self._weights[rows].sum(axis=0)
        return np.array(
            [
                float(by_column[one.columns].sum()) + float(self._relations[one.relations].sum())
                for one in options
            ]
        )

    def learn(self, rows: Indices, option: Option, target: float) -> None:
        """Move the estimate of an option towards what it brought."""
        active = rows.size * option.columns.size + option.relations.size
        error = target - float(self.values(rows, [option])[0])
        step = RATE * error / active
        self._weights[np.ix_(rows, option.columns)] += step
        self._relations[option.relations] += step


class Table:
    """Mean of what an action brought at a place."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[int, float]] = {}

    def learn(self, cell: str, mark: str, target: float) -> None:
        n, mean = self._known.get((cell, mark), (0, 0.0))
        rate = max(1 / (n + 1), 0.2)
        self._known[cell, mark] = n + 1, mean + rate * (target - mean)

    def count(self, cell: str, mark: str) -> int:
        return self._known.get((cell, mark), (0, 0.0))[0]

    def blend(self, cell: str, marks: list[str], other: Floats) -> Floats:
        """Return the table's estimates of actions at a place, drawn to those given."""
        found = other.copy()
        for place, mark in enumerate(marks):
            n, mean = self._known.get((cell, mark), (0, 0.0))
            found[place] = (n * mean + DRAWN * other[place]) / (n + DRAWN)
        return found
