"""Regular expressions of a stranger: read, matched in bounded time, and written out.

Python's own engine can take exponential time on a hostile pattern, so it is never given one.
What is read is the part that JSON Schemas use: literals, classes, groups, alternatives,
repetitions and the anchors of the whole text. Look-around, back-references, word boundaries
and flags are not read.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

LONGEST_PATTERN = 1_000
"""Characters of a pattern."""
LARGEST_PROGRAM = 1_000
"""Instructions that a pattern may unfold to."""
LONGEST_MATCHED = 500
"""Characters of a text that is matched; nothing is found in a longer one."""
DEEPEST_GROUP = 20
_ALL = ((0, 0x10FFFF),)
_SETS = {
    "d": ((48, 57),),
    "w": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "s": ((9, 13), (32, 32)),
}
_ESCAPES = {"n": 10, "r": 13, "t": 9, "f": 12, "v": 11, "0": 0}
_SHOWN = tuple(range(32, 127))
"""Characters to write where a class leaves the choice."""

Ranges: TypeAlias = tuple[tuple[int, int], ...]


class UnreadPattern(ValueError):
    """The pattern is no regular expression, or one of those not read here."""


@dataclass(frozen=True, slots=True)
class _Chars:
    ranges: Ranges

    def __contains__(self, code: int) -> bool:
        return any(low <= code <= high for low, high in self.ranges)


@dataclass(frozen=True, slots=True)
class _Edge:
    end: bool


@dataclass(frozen=True, slots=True)
class _Sequence:
    parts: "tuple[_Part, ...]"


@dataclass(frozen=True, slots=True)
class _Either:
    options: "tuple[_Part, ...]"


@dataclass(frozen=True, slots=True)
class _Repeat:
    part: "_Part"
    least: int
    most: int | None


_Part: TypeAlias = _Chars | _Edge | _Sequence | _Either | _Repeat
_Step: TypeAlias = "tuple[str, _Chars | tuple[int, ...] | None]"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that was read."""

    source: str
    tree: _Part
    program: tuple[_Step, ...]

    def found_in(self, text: str) -> bool:
        """Say whether the pattern matches anywhere in a text, in linear time."""
        if len(text) > LONGEST_MATCHED:
            return False
        states: set[int] = set()
        for place in range(len(text) + 1):
            states = self._spread(states | {0}, at_start=place == 0, at_end=place == len(text))
            if len(self.program) - 1 in states:
                return True
            if place < len(text):
                states = self._eat(states, ord(text[place]))
        return False

    def write(self, rng: np.random.Generator, *, extra: int = 3) -> str:
        """Return a text made along the pattern; it matches unless an anchor stands inside.

        Args:
            rng: Where the choices come from.
            extra: Most repetitions beyond the least where the pattern gives no limit.
        """
        out: list[str] = []
        _write(self.tree, rng, extra, out)
        return "".join(out)

    def _spread(self, states: set[int], *, at_start: bool, at_end: bool) -> set[int]:
        reached, waiting = set(states), list(states)
        while waiting:
            state = waiting.pop()
            kind, argument = self.program[state]
            following: tuple[int, ...] = ()
            if kind == "go" and isinstance(argument, tuple):
                following = argument
            elif (kind == "start" and at_start) or (kind == "end" and at_end):
                following = (state + 1,)
            for each in following:
                if each not in reached:
                    reached.add(each)
                    waiting.append(each)
        return reached

    def _eat(self, states: set[int], code: int) -> set[int]:
        after: set[int] = set()
        for state in states:
            argument = self.program[state][1]
            if isinstance(argument, _Chars) and code in argument:
                after.add(state + 1)
        return after


def read_pattern(source: str) -> Pattern:
    """Read a regular expression.

    Raises:
        UnreadPattern: it is none, or one of those not read here.
    """
    if len(source) > LONGEST_PATTERN:
        raise UnreadPattern(f"longer than {LONGEST_PATTERN} characters")
    reader = _Reader(source)
    tree = reader.either(0)
    if reader.place < len(source):
        raise UnreadPattern("an unmatched )")
    program: list[_Step] = []
    _unfold(tree, program)
    program.append(("found", None))
    return Pattern(source, tree, tuple(program))


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0

    def either(self, depth: int) -> _Part:
        if depth > DEEPEST_GROUP:
            raise UnreadPattern("groups nested too deep")
        options = [self._sequence(depth)]
        while self._skip("|"):
            options.append(self._sequence(depth))
        return options[0] if len(options) == 1 else _Either(tuple(options))

    def _sequence(self, depth: int) -> _Part:
        parts: list[_Part] = []
        while self.place < len(self.source) and self.source[self.place] not in "|)":
            parts.append(self._repeated(self._atom(depth)))
        return parts[0] if len(parts) == 1 else _Sequence(tuple(parts))

    def _atom(self, depth: int) -> _Part:
        char = self._take()
        match char:
            case "^":
                return _Edge(end=False)
            case "$":
                return _Edge(end=True)
            case ".":
                return _Chars(_without(((10, 10),)))
            case "[":
                return self._class()
            case "(":
                return self._group(depth)
            case "\\":
                return self._escape()
            case "*" | "+" | "?":
                raise UnreadPattern("nothing to repeat")
        return _Chars(((ord(char), ord(char)),))

    def _group(self, depth: int) -> _Part:
        if self._skip("?") and not self._skip(":"):
            self._skip("P")
            if not self._skip("<") or self.source[self.place : self.place + 1] in ("=", "!", ""):
                raise UnreadPattern("look-around or flags")
            while self._take() != ">":
                pass
        inside = self.either(depth + 1)
        if not self._skip(")"):
            raise UnreadPattern("an unmatched (")
        return inside

    def _repeated(self, part: _Part) -> _Part:
        while True:
            if self._skip("*"):
                least, most = 0, None
            elif self._skip("+"):
                least, most = 1, None
            elif self._skip("?"):
                least, most = 0, 1
            else:
                counts = self._counts()
                if counts is None:
                    return part
                least, most = counts
            self._skip("?")
            part = _Repeat(part, least, most)

    def _counts(self) -> tuple[int, int | None] | None:
        """Read {n}, {n,} or {n,m}; anything else in braces is literal."""
        close = self.source.find("}", self.place)
        if self.source[self.place : self.place + 1] != "{" or close < 0:
            return None
        first, comma, second = self.source[self.place + 1 : close].partition(",")
        if not _is_count(first) or (second and not _is_count(second)):
            return None
        self.place = close + 1
        least = int(first)
        most = least if not comma else int(second) if second else None
        if most is not None and most < least:
            raise UnreadPattern("a repetition from more to less")
        return least, most

    def _class(self) -> _Chars:
        negated = self._skip("^")
        ranges: list[tuple[int, int]] = []
        if self._skip("]"):
            raise UnreadPattern("an empty class")
        while not self._skip("]"):
            low = self._member()
            if self._range_follows() and len(low) == 1 and low[0][0] == low[0][1]:
                self._take()
                high = self._member()
                if len(high) != 1 or high[0][0] < low[0][0]:
                    raise UnreadPattern("a range from more to less")
                low = ((low[0][0], high[0][1]),)
            ranges += low
        return _Chars(_without(tuple(ranges)) if negated else tuple(ranges))

    def _range_follows(self) -> bool:
        ahead = self.source[self.place : self.place + 2]
        return len(ahead) == 2 and ahead[0] == "-" and ahead[1] != "]"

    def _member(self) -> Ranges:
        char = self._take()
        if char != "\\":
            return ((ord(char), ord(char)),)
        if self.source[self.place : self.place + 1] == "b":
            raise UnreadPattern("a backspace")
        return self._escape().ranges

    def _escape(self) -> _Chars:
        char = self._take()
        if char in _SETS:
            return _Chars(_SETS[char])
        if char.lower() in _SETS:
            return _Chars(_without(_SETS[char.lower()]))
        if char in _ESCAPES:
            return _Chars(((_ESCAPES[char], _ESCAPES[char]),))
        if char in "xu":
            digits = "".join(self._take() for _ in range(2 if char == "x" else 4))
            try:
                code = int(digits, 16)
            except ValueError:
                raise UnreadPattern("a broken escape") from None
            return _Chars(((code, code),))
        if char.isalnum():
            raise UnreadPattern(f"the escape \\{char}")
        return _Chars(((ord(char), ord(char)),))

    def _take(self) -> str:
        if self.place >= len(self.source):
            raise UnreadPattern("it ends too early")
        self.place += 1
        return self.source[self.place - 1]

    def _skip(self, char: str) -> bool:
        if self.source.startswith(char, self.place):
            self.place += len(char)
            return True
        return False


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4


def _without(ranges: Ranges) -> Ranges:
    """Return all characters outside some ranges."""
    left: list[tuple[int, int]] = []
    begin = 0
    for low, high in sorted(ranges):
        if low > begin:
            left.append((begin, low - 1))
        begin = max(begin, high + 1)
    if begin <= _ALL[0][1]:
        left.append((begin, _ALL[0][1]))
    return tuple(left)


def _unfold(part: _Part, program: list[_Step]) -> None:
    """Append the instructions of a part to a program, counted repetitions written out."""
    if len(program) > LARGEST_PROGRAM:
        raise UnreadPattern("too many repetitions")
    match part:
        case _Chars():
            program.append(("eat", part))
        case _Edge(end=end):
            program.append(("end" if end else "start", None))
        case _Sequence(parts=parts):
            for each in parts:
                _unfold(each, program)
        case _Either(options=options):
            _unfold_either(options, program)
        case _Repeat():
            _unfold_repeat(part, program)


def _unfold_either(options: tuple[_Part, ...], program: list[_Step]) -> None:
    fork = len(program)
    program.append(("go", ()))
    begins, leaves = [], []
    for option in options:
        begins.append(len(program))
        _unfold(option, program)
        leaves.append(len(program))
        program.append(("go", ()))
    program[fork] = ("go", tuple(begins))
    for leave in leaves:
        program[leave] = ("go", (len(program),))


def _unfold_repeat(part: _Repeat, program: list[_Step]) -> None:
    for _ in range(part.least):
        before = len(program)
        _unfold(part.part, program)
        if len(program) == before:
            break
    if part.most is None:
        fork = len(program)
        program.append(("go", ()))
        _unfold(part.part, program)
        program.append(("go", (fork,)))
        program[fork] = ("go", (fork + 1, len(program)))
        return
    forks = []
    for _ in range(part.most - part.least):
        forks.append(len(program))
        program.append(("go", ()))
        _unfold(part.part, program)
    for fork in forks:
        program[fork] = ("go", (fork + 1, len(program)))


def _write(part: _Part, rng: np.random.Generator, extra: int, out: list[str]) -> None:
    if len(out) > LONGEST_MATCHED:
        return
    match part:
        case _Chars():
            out.append(_one_of(part, rng))
        case _Sequence(parts=parts):
            for each in parts:
                _write(each, rng, extra, out)
        case _Either(options=options):
            _write(options[int(rng.integers(len(options)))], rng, extra, out)
        case _Repeat(part=inside, least=least, most=most):
            top = least + extra if most is None else min(most, least + extra)
            for _ in range(int(rng.integers(least, top + 1))):
                before = len(out)
                _write(inside, rng, extra, out)
                if len(out) == before:
                    break
        case _Edge():
            pass


@lru_cache(maxsize=256)
def _shown_of(chars: _Chars) -> tuple[int, ...]:
    return tuple(code for code in _SHOWN if code in chars)


def _one_of(chars: _Chars, rng: np.random.Generator) -> str:
    shown = _shown_of(chars)
    if shown:
        return chr(shown[int(rng.integers(len(shown)))])
    usable = [low for low, _ in chars.ranges if not 0xD800 <= low <= 0xDFFF]
    return chr(usable[int(rng.integers(len(usable)))]) if usable else ""
