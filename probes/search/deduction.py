"""What is hidden, as far as hints leave it open: candidates that agree with every hint so far.

An action that is a row of symbols (a code, a word) may be a guess at a hidden one. What came back
beside it is held against the kinds of hint that such games give: how many symbols are right, how
many are there but elsewhere, and a text of marks, one for each symbol. Which kind a hint is, and
what a mark means, is not told: each reading stands until no row agrees with all hints under it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from probes.actions.sample import sample
from probes.actions.space import Space
from probes.base import Json, Unplayable
from probes.search.cells import Leaves

DRAWN = 200
"""Actions that are drawn to see what symbols there are at each place."""
LARGEST_POOL = 20_000
"""Rows that are all held against the hints; where there are more, only marks are read."""
FEWEST = 2
"""Guesses before anything is deduced."""
LONGEST = 12
MOST_TRIES = 50
RIGHT, ELSEWHERE, ABSENT = 0, 1, 2

Bools = NDArray[np.bool_]
Row = tuple[Json, ...]


class Reading:
    """One meaning of the marks, and what they then say."""

    def __init__(self, order: tuple[int, ...], length: int) -> None:
        self._order = order
        self._symbols: list[str] = []
        self.fixed: dict[int, Json] = {}
        self.barred: list[set[Json]] = [set() for _ in range(length)]
        self.needed: set[Json] = set()
        self.possible = True

    def note(self, row: Row, marks: str) -> None:
        """Take in the marks of a guess."""
        for mark in marks:
            if mark not in self._symbols:
                self._symbols.append(mark)
        if len(self._symbols) > len(self._order):
            self.possible = False
            return
        meant = [self._order[self._symbols.index(mark)] for mark in marks]
        there = {symbol for symbol, what in zip(row, meant, strict=True) if what != ABSENT}
        for place, (symbol, what) in enumerate(zip(row, meant, strict=True)):
            if what == RIGHT:
                self.possible &= self.fixed.setdefault(place, symbol) == symbol
                self.possible &= symbol not in self.barred[place]
                continue
            self.barred[place].add(symbol)
            self.possible &= self.fixed.get(place) != symbol
            if what == ABSENT and symbol not in there:
                for barred in self.barred:
                    barred.add(symbol)
        self.needed |= there

    @property
    def symbols(self) -> int:
        return len(self._symbols)


class Deduction:
    """The guesses at what one start hides."""

    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self._rng = rng
        self._slot, self._as_text, self._symbols = _rows_of(space, rng)
        self._guessed: dict[Row, None] = {}
        length = len(self._symbols)
        self._pool: NDArray[np.intp] | None = None
        size = np.prod([float(len(one)) for one in self._symbols]) if length else 0.0
        if 1 < size <= LARGEST_POOL:
            grid = np.meshgrid(*(np.arange(len(one)) for one in self._symbols), indexing="ij")
            self._pool = np.stack([one.ravel() for one in grid], axis=1)
        self._counts: dict[str, list[Bools]] = {}
        self._marks: dict[str, list[Reading]] = {}

    def note(self, action: Json, after: Leaves) -> None:
        """Take in what was seen after an action."""
        row = self._row(action)
        if row is None or row in self._guessed:
            return
        self._guessed[row] = None
        newest = {re.sub(r"\.\d+(?=\.|$)", ".#", path): value for path, value in after.items()}
        for path, value in newest.items():
            if isinstance(value, str) and len(value) == len(row):
                for reading in self._marks.setdefault(path, _readings(len(row))):
                    reading.note(row, value)
            elif isinstance(value, int) and not isinstance(value, bool) and self._pool is not None:
                self._count(path, row, value)

    def propose(self) -> Json:
        """Return a guess that agrees with every hint, None where there is none to follow."""
        if len(self._guessed) < FEWEST:
            return None
        row = self._from_pool() or self._from_marks()
        if row is None or row in self._guessed:
            return None
        return {self._slot: "".join(map(str, row)) if self._as_text else list(row)}

    def _row(self, action: Json) -> Row | None:
        found = action.get(self._slot) if isinstance(action, dict) and self._symbols else None
        if not isinstance(found, str if self._as_text else list):
            return None
        row = tuple(found)
        fits = len(row) == len(self._symbols)
        return (
            row
            if fits and all(s in one for s, one in zip(row, self._symbols, strict=True))
            else None
        )

    # Counts.

    def _count(self, path: str, row: Row, value: int) -> None:
        """Hold each row of the pool against a number: as so many right, elsewhere, in all."""
        assert self._pool is not None
        told = [one.index(symbol) for one, symbol in zip(self._symbols, row, strict=True)]
        equal = (self._pool == np.array(told)).sum(axis=1)
        common = np.zeros(len(self._pool), dtype=np.intp)
        values = [np.array(self._values(place)) for place in range(len(row))]
        pool = np.stack([v[self._pool[:, k]] for k, v in enumerate(values)], axis=1)
        for symbol in set(row):
            common += np.minimum((pool == _key(symbol)).sum(axis=1), row.count(symbol))
        kept = self._counts.setdefault(path, [np.ones(len(pool), dtype=bool) for _ in range(4)])
        for mask, number in zip(
            kept, (equal, common - equal, common, len(row) - equal), strict=True
        ):
            mask &= number == value

    def _values(self, place: int) -> list[str]:
        return [_key(symbol) for symbol in self._symbols[place]]

    def _from_pool(self) -> Row | None:
        if self._pool is None:
            return None
        alive = np.ones(len(self._pool), dtype=bool)
        followed = False
        for masks in self._counts.values():
            either = np.logical_or.reduce(masks)
            if either.any() and (alive & either).any():
                alive &= either
                followed |= not either.all()
        for row in self._guessed:
            told = [one.index(symbol) for one, symbol in zip(self._symbols, row, strict=True)]
            alive &= (self._pool != np.array(told)).any(axis=1)
        left = np.flatnonzero(alive)
        if not followed or not left.size:
            return None
        chosen = self._pool[int(self._rng.choice(left))]
        return tuple(one[int(k)] for one, k in zip(self._symbols, chosen, strict=True))

    # Marks.

    def _from_marks(self) -> Row | None:
        for readings in self._marks.values():
            for reading in readings:
                if reading.possible and reading.symbols > 1:
                    for _ in range(MOST_TRIES):
                        row = self._built(reading)
                        if row is not None and row not in self._guessed:
                            return row
        return None

    def _built(self, reading: Reading) -> Row | None:
        """Return a row that agrees with a reading, of symbols that were not tried where it may."""
        tried = {symbol for row in self._guessed for symbol in row}
        row: list[Json] = [reading.fixed.get(place) for place in range(len(self._symbols))]
        free = [place for place, symbol in enumerate(row) if symbol is None]
        for symbol in sorted(reading.needed - set(row), key=repr):
            at = [p for p in free if symbol not in reading.barred[p] and symbol in self._symbols[p]]
            if not at:
                return None
            place = at[int(self._rng.integers(len(at)))]
            row[place] = symbol
            free.remove(place)
        for place in free:
            known = [s for s in self._symbols[place] if s not in reading.barred[place]]
            fresh = [s for s in known if s not in tried and s not in row]
            choice = fresh or known
            if not choice:
                return None
            row[place] = choice[int(self._rng.integers(len(choice)))]
        return tuple(row)


def _readings(length: int) -> list[Reading]:
    orders = permutations((ABSENT, ELSEWHERE, RIGHT))
    return [Reading(order, length) for order in orders]


def _key(symbol: Json) -> str:
    return repr(symbol)


def _rows_of(space: Space, rng: np.random.Generator) -> tuple[str, bool, Sequence[Sequence[Json]]]:
    """Return the member that is a row, if it is a text, and the symbols at each of its places.

    No symbols where actions are no rows of one length.
    """
    found = list(_drawn(space, rng))
    names = [name for name in found[0] if isinstance(found[0][name], str | list)] if found else []
    if len(names) != 1 or any(names[0] not in one for one in found):
        return "", False, ()
    told = [one[names[0]] for one in found]
    as_text = isinstance(told[0], str)
    if not all(isinstance(one, str if as_text else list) for one in told):
        return "", False, ()
    rows = [tuple(one) for one in told if isinstance(one, str | list)]
    length = len(rows[0])
    if any(len(row) != length for row in rows) or not 1 < length <= LONGEST:
        return "", False, ()
    if any(isinstance(symbol, list | dict | float) for row in rows for symbol in row):
        return "", False, ()
    places = [sorted({row[place] for row in rows}, key=repr) for place in range(length)]
    return (names[0], as_text, places) if max(map(len, places)) > 1 else ("", False, ())


def _drawn(space: Space, rng: np.random.Generator) -> Iterator[dict[str, Json]]:
    try:
        for _ in range(DRAWN):
            action = sample(space, rng)
            if isinstance(action, dict):
                yield {name: value for name, value in action.items() if name != "metadata"}
    except Unplayable:
        return
