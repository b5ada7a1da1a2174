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
_PLACE = re.compile(r"\.\d+(?=\.|$)")
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
    """The guesses at what one start hides.

    A hint is a leaf that answers equal guesses equally and not all guesses alike. What never
    changes, what counts steps and what is told of older guesses falls out by that.
    """

    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self._rng = rng
        self._slot, self._as_text, self._symbols = _rows_of(space, rng)
        self._guessed: dict[Row, None] = {}
        length = len(self._symbols)
        self._pool: NDArray[np.intp] | None = None
        size = np.prod([float(len(one)) for one in self._symbols]) if length else 0.0
        if 1 < size <= LARGEST_POOL:
            every = sorted({repr(symbol) for one in self._symbols for symbol in one})
            self._number = {symbol: number for number, symbol in enumerate(every)}
            kinds = [[self._number[repr(symbol)] for symbol in one] for one in self._symbols]
            grid = np.meshgrid(*map(np.array, kinds), indexing="ij")
            self._pool = np.stack([one.ravel() for one in grid], axis=1)
            self._symbol = {self._number[repr(s)]: s for one in self._symbols for s in one}
            self._fresh = np.ones(len(self._pool), dtype=bool)
        self._counts: dict[str, list[Bools]] = {}
        self._marks: dict[str, list[Reading]] = {}
        self._told: dict[str, dict[Row, Json]] = {}
        """What each leaf answered to each guess."""
        self._no_hints: set[str] = set()
        self._next: Row | None = None

    def note(self, action: Json, after: Leaves) -> None:
        """Take in what was seen after an action."""
        row = self._row(action)
        if row is None:
            return
        counts = self._counted(row) if row not in self._guessed else ()
        self._guessed[row] = None
        for path, value in _newest(after).items():
            if path in self._no_hints:
                continue
            told = self._told.setdefault(path, {})
            if row in told:
                if told[row] != value:
                    self._no_hints.add(path)
            elif isinstance(value, str) and len(value) == len(row):
                told[row] = value
                for reading in self._marks.setdefault(path, _readings(len(row))):
                    reading.note(row, value)
            elif isinstance(value, int) and not isinstance(value, bool) and counts:
                told[row] = value
                kept = self._counts.setdefault(path, [np.ones_like(self._fresh) for _ in counts])
                for mask, number in zip(kept, counts, strict=True):
                    mask &= number == value
        self._next = None

    def propose(self) -> Json:
        """Return a guess that agrees with every hint, None where there is none to follow."""
        if len(self._guessed) < FEWEST:
            return None
        row = self._next or self._from_pool() or self._from_marks()
        if row is None or row in self._guessed:
            return None
        self._next = row
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

    def _tells(self, path: str) -> bool:
        """Say whether a leaf may be a hint: it did not answer all guesses alike."""
        told = self._told[path]
        return path not in self._no_hints and len({repr(value) for value in told.values()}) > 1

    # Counts.

    def _counted(self, row: Row) -> tuple[NDArray[np.intp], ...]:
        """Return for each row of the pool what a number may count of a guess at it.

        Places that are right, symbols that are elsewhere, symbols in common, places that are wrong.
        """
        if self._pool is None:
            return ()
        told = np.array([self._number[repr(symbol)] for symbol in row])
        equal = (self._pool == told).sum(axis=1)
        common = np.zeros(len(self._pool), dtype=np.intp)
        for symbol, often in zip(*np.unique(told, return_counts=True), strict=True):
            common += np.minimum((self._pool == symbol).sum(axis=1), often)
        self._fresh &= equal < len(row)
        return equal, common - equal, common, len(row) - equal

    def _from_pool(self) -> Row | None:
        if self._pool is None:
            return None
        alive = self._fresh.copy()
        followed = False
        for path, masks in self._counts.items():
            either = np.logical_or.reduce(masks)
            if self._tells(path) and (alive & either).any():
                alive &= either
                followed |= not either.all()
        left = np.flatnonzero(alive)
        if not followed or not left.size:
            return None
        chosen = self._pool[int(self._rng.choice(left))]
        return tuple(self._symbol[int(number)] for number in chosen)

    # Marks.

    def _from_marks(self) -> Row | None:
        for path, readings in self._marks.items():
            for reading in readings if self._tells(path) else ():
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


def _newest(after: Leaves) -> dict[str, Json]:
    """Return the leaves, of what stands in lists those of the first and of the last element."""
    found: dict[str, Json] = {}
    for path, value in after.items():
        of_last = _PLACE.sub(".#", path)
        if of_last != path:
            found.setdefault(_PLACE.sub(".^", path), value)
        found[of_last] = value
    return found


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
