"""Actions worth trying first, from what was seen and what can be worked out of it.

Each part of an action gets values with a cost, least first: what the text names, members of the
same name, results of small sums, tokens of uncommon shape, orders of lists. Values of several
parts are joined by the sum of their costs, and what the text names side by side, or keeps under
one name, goes together.
"""

import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, permutations

from probes.actions.fit import fits
from probes.actions.hints import words_noted
from probes.actions.sample import IGNORED
from probes.actions.space import (
    Array,
    Choice,
    Field,
    Link,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
    identity,
    resolve,
)
from probes.base import Json
from probes.reactive.options import columns, order_of
from probes.search.derived import FUNCTION_WORDS, LARGEST, Derived, spell
from probes.search.moves import writes_one_text

MOST = 150
"""Values of one part, or whole actions, that are kept."""
JOINED = 60
"""Values of one part that are joined with those of others."""
MOST_COMPUTED = 96
DEEPEST = 6
FEW = 30
"""Integers of a range that are all tried."""
LONGEST_ORDER = 5
"""Elements of which all orders are tried."""
SENTENCE = 3
"""Spaces in a text from which on it rather tells something than names it."""
WIDE = 160
"""Characters between the first and the last part of an action that a text names."""
LETTERS = "etaoinshrdlucmfwypvbgkjqxz"
LIKELY = ("yes", "no", "true", "false")
_NAMING = re.compile(r"(?i)path|file|name|key|title|(?:^|_)id$")
"""Names of parts that say which thing is meant, not what it holds."""
_WORD = re.compile(r"[a-z]+")
_LISTED = re.compile(r",|;|\bor\b|\band\b")


@dataclass(frozen=True, slots=True)
class Valued:
    """A value and how far from likely it is."""

    cost: float
    value: Json


class Proposals:
    """Ranks actions for one sight."""

    def __init__(
        self, space: Space, derived: Derived, observation: Json, revealed: Sequence[Json] = ()
    ) -> None:
        self._space = space
        self._derived = derived
        self._observation = observation
        self._revealed = revealed
        self._low = derived.text.casefold()
        self._enums: set[str] = set()
        """Texts that the schema lists: a text that names them beside others may mean an action."""
        self._alone = writes_one_text(space)
        self._names = {name for names in derived.origins.values() for name in names}

    def ranked(self) -> list[Json]:
        """Return actions, the likeliest first, each once."""
        found = self._values(self._space.root, None, 0)
        found = sorted(found, key=lambda valued: valued.cost)[:MOST]
        weighed = [Valued(one.cost + self._together(one.value), one.value) for one in found]
        once: dict[str, Json] = {}
        for one in sorted(weighed, key=lambda valued: valued.cost):
            if fits(self._space, self._space.root, one.value):
                once.setdefault(identity(one.value), one.value)
        return list(once.values())[:MOST]

    def _values(self, node: Node, field: Field | None, depth: int) -> list[Valued]:
        if depth > DEEPEST or (isinstance(node, Link) and depth > DEEPEST // 2):
            return []
        match known := resolve(self._space, node):
            case Choice(values=values):
                return self._chosen(values)
            case Whole() | Real():
                return _cut(self._numbers(known, field))
            case Text():
                return _cut(self._texts(known, field))
            case Array():
                return _cut(self._arrays(known, field, depth))
            case Object(fields=fields):
                return self._objects(fields, depth)
            case Union(options=options, meant=meant):
                kinds = options if meant is None else meant
                return _cut(v for one in kinds for v in self._values(one, field, depth + 1))
        return []

    def _chosen(self, values: tuple[Json, ...]) -> list[Valued]:
        if len(values) == 1:
            return [Valued(0.0, values[0])]
        out = []
        self._enums |= {value for value in values if isinstance(value, str)}
        for place, value in enumerate(values[:MOST]):
            named = isinstance(value, str) and self._place(value) is not None
            out.append(Valued(0.1 if named else 0.5 + 0.01 * place, value))
        return _cut(out)

    def _place(self, value: str) -> int | None:
        """Return where the text names a value, None where it does not."""
        found = re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", self._low)
        return found.start() if found else None

    # Numbers.

    def _numbers(self, node: Whole | Real, field: Field | None) -> Iterator[Valued]:
        whole = isinstance(node, Whole)
        costs: dict[Fraction, float] = {}
        for cost, number in (*self._seen_numbers(field, whole=whole), *_bounds(node)):
            costs[number] = min(cost, costs.get(number, cost))
        for number, cost in costs.items():
            exact = whole and number.denominator == 1
            if not exact and abs(number) > sys.float_info.max:
                continue
            value = number.numerator if exact else float(number)
            if fits(self._space, node, value):
                yield Valued(cost, value)

    def _seen_numbers(
        self, field: Field | None, *, whole: bool
    ) -> Iterator[tuple[float, Fraction]]:
        """Yield costs and numbers: revealed, of the same name, written, seen, worked out."""
        derived = self._derived
        same = self._same(field.name) if field else ()
        for cost, one in (*((0.0, one) for one in self._revealed), *same):
            if isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < LARGEST:
                yield cost, Fraction(str(one))
        name = field.name.casefold().rstrip("s") if field else ""
        for place, number in enumerate(derived.written):
            beside = {word.rstrip("s") for word in derived.beside.get(number, ())}
            yield (0.05 if name in beside else 0.1 + 0.05 * place), number
            if whole:  # cents of what is written in whole ones
                yield (0.05 if number.denominator > 1 else 0.12) + 0.05 * place, number * 100
        for place, number in enumerate(derived.scaled):
            yield 0.08 + 0.02 * place, number
        for place, number in enumerate(derived.numbers):
            yield 0.3 + 0.03 * place, number
        for place, number in enumerate(derived.computed[:MOST_COMPUTED]):
            yield 0.4 + 0.02 * place, number

    def _same(self, name: str) -> Iterator[tuple[float, Json]]:
        """Yield costs and values of members of a name: the first where it is singled out."""
        singled = name in self._derived.named
        for place, value in enumerate(self._derived.members.get(name, ())):
            yield (0.05 + 0.02 * place + (0.2 if singled and place else 0.0)), value

    # Texts.

    def _texts(self, node: Text, field: Field | None) -> Iterator[Valued]:
        told = field.description[:1_000] if field else ""
        listed = _LISTED.split(told.partition(":")[2])[:FEW]
        items = [item.strip(" .'\"`") for item in (*words_noted(told), *listed)]
        named = [item for item in dict.fromkeys(items) if item and fits(self._space, node, item)]
        for place, item in enumerate(named):
            yield Valued(0.01 * place, item)
        boxes = "\\boxed{" in self._derived.text + told
        for place, text in enumerate(self._candidates(field, told) if len(named) < 2 else ()):
            for cost, value in _boxed(text.value) if boxes else ((0.0, text.value),):
                if fits(self._space, node, value):
                    yield Valued(text.cost + cost + 0.001 * place, value)
        if node.most == 1:
            for place, letter in enumerate(LETTERS):
                if fits(self._space, node, letter):
                    yield Valued(0.6 + 0.01 * place, letter)

    def _candidates(self, field: Field | None, told: str) -> Iterator[Valued]:
        derived = self._derived
        names = field is not None and _NAMING.search(field.name) is not None
        yield from (Valued(0.0, one) for one in self._revealed if isinstance(one, str))
        words = set(_WORD.findall(told.casefold()))
        for name in derived.members:
            same = field is not None and field.name.casefold() == name.casefold()
            for cost, value in self._same(name) if same or name.casefold() in words else ():
                if isinstance(value, str) and value:
                    yield Valued(cost - (0.03 if same else 0.0), value)
        for place, answer in enumerate(derived.answers[:60]):
            yield Valued((0.05 if self._alone else 0.7) + 0.015 * place, answer)
        for place, answer in enumerate(derived.transformed[:40]):
            yield Valued((0.6 if names else 0.1) + 0.015 * place, answer)
        for place, token in enumerate(derived.tokens):
            common = 0.3 if self._is_common(token) or token.count(" ") >= SENTENCE else 0.0
            yield Valued(0.2 + common + 0.015 * place, token)
        if "?" in derived.text or "whether" in self._low:
            for place, word in enumerate(LIKELY):
                yield Valued(0.3 + 0.05 * place, word)
        for place, number in enumerate(derived.numbers):
            yield Valued(0.6 + 0.02 * place, spell(number))

    def _is_common(self, token: str) -> bool:
        """Say whether a word hardly means a value: one like "the", a letter, a listed choice."""
        short = token.isalpha() and len(token) == 1
        return short or token.casefold() in FUNCTION_WORDS or token in self._enums

    # Lists and objects.

    def _arrays(self, node: Array, field: Field | None, depth: int) -> Iterator[Valued]:
        for column in columns(self._observation):
            for most in (False, True):
                yield Valued(0.1 + 0.05 * most, [*order_of(column, most=most)])
        for place, found in enumerate(self._derived.lists):
            for number, changed in enumerate(_changed(list(found))):
                yield Valued(0.2 + 0.05 * (place + number), changed)
        if node.least == node.most and 1 < node.least <= LONGEST_ORDER and not node.prefix:
            values = [one.value for one in self._values(node.rest, field, depth + 1)]
            orders = permutations(values) if len(values) == node.least else ()
            yield from (Valued(0.6 + 0.01 * n, list(order)) for n, order in enumerate(orders))
        elif node.least <= 1 and not node.prefix:
            for one in self._values(node.rest, field, depth + 1)[:FEW]:
                yield Valued(one.cost + 0.2, [one.value])

    def _objects(self, fields: tuple[Field, ...], depth: int) -> list[Valued]:
        joined: list[Valued] = [Valued(0.0, {})]
        for one in fields:
            if one.name in IGNORED:
                continue
            values = self._values(one.node, one, depth + 1)[:JOINED]
            options: list[tuple[float, bool, Json]] = [(v.cost, True, v.value) for v in values]
            if not one.required:
                options = [(0.1, False, None)] + [
                    (cost + 0.1, True, value) for cost, _, value in options if value is not None
                ]
            joined = _cut(
                Valued(a.cost + cost + self._apart(a.value, value), {**a.value, one.name: value})
                if there
                else Valued(a.cost + cost, a.value)
                for a in joined[:JOINED]
                for cost, there, value in options
                if isinstance(a.value, dict)
            )
        return joined

    def _apart(self, joined: Mapping[str, Json], value: Json) -> float:
        """Return a cost of joining a value to others: below zero where a text has it beside one.

        Above zero for a text that is there already.
        """
        if isinstance(value, str):
            return 0.3 if value and value in joined.values() else 0.0
        if isinstance(value, bool) or not isinstance(value, int | float):
            return 0.0
        beside = self._derived.beside.get(_exact(value))
        texts = [one for one in joined.values() if isinstance(one, str)] if beside else []
        return -0.3 if beside and any(one.casefold() in beside for one in texts) else 0.0

    # What belongs together.

    def _together(self, action: Json) -> float:
        """Return a cost, below zero where the parts of an action stand together in what was seen.

        Texts and numbers that the text names within `WIDE` characters, in the order of the action,
        belong together; so does a number from under a name with that name.
        """
        parts = [one for one in _parts(action, 0) if one not in ("call_tool", True, False, None)]
        texts = [one for one in parts if isinstance(one, str)]
        numbers = [one for one in parts if isinstance(one, int | float)]
        cost = 0.0
        for number in numbers:
            origin = self._derived.origins.get(_exact(number), frozenset())
            rivals = [text for text in texts if text in self._names]
            if rivals:
                cost += -0.4 if any(text in origin for text in rivals) else 0.4
        if not 2 <= len(parts) <= 6 or not any(text in self._enums for text in texts):
            return cost
        at, start = 0, None
        for part in parts:
            said = part.casefold() if isinstance(part, str) else f"{part}"
            found = self._low.find(said, at) if said else -1
            if found < 0:
                return cost
            start = found if start is None else start
            at = found + len(said)
        span = at - (start or 0) - sum(len(str(part)) for part in parts)
        return cost - 0.8 * len(parts) / (1 + span / 20) if span <= WIDE else cost


def _exact(number: int | float) -> Fraction:
    """Return a number as it is written, 0 where it is infinite or none."""
    return Fraction(str(number)) if abs(number) < math.inf else Fraction(0)


def _bounds(node: Whole | Real) -> Iterator[tuple[float, Fraction]]:
    """Yield costs and numbers of a range: all of a short one, the ends of a long one."""
    low, high = node.low, node.high
    if low is None or high is None:
        return
    if isinstance(node, Whole) and high - low <= FEW:
        for place, number in enumerate(range(int(low), int(high) + 1)):
            yield 0.5 + 0.01 * place, Fraction(number)
    for end in (low, high):
        if abs(end) < LARGEST:
            yield 0.8, Fraction(str(end))


def _changed(found: list[Json]) -> Iterator[list[Json]]:
    """Yield a list as it is, turned round, and sorted or negated where it is of numbers."""
    yield found
    yield found[::-1]
    numbers = [one for one in found if isinstance(one, int | float)]
    if len(numbers) == len(found):
        yield [*sorted(numbers)]
        yield [*sorted(numbers, reverse=True)]
        yield [-one for one in numbers]


def _boxed(value: Json) -> tuple[tuple[float, Json], ...]:
    """Return a text in the box that is asked for, and, less likely, without it."""
    return ((0.0, f"\\boxed{{{value}}}"), (0.5, value))


def _parts(value: Json, depth: int) -> Iterator[Json]:
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        for name, member in value.items():
            if name != "type":
                yield from _parts(member, depth + 1)
    elif isinstance(value, list):
        for element in value:
            yield from _parts(element, depth + 1)
    else:
        yield value


def parts_of(action: Json) -> tuple[Json, ...]:
    """Return the values of an action, one by one."""
    return tuple(islice(_parts(action, 0), 64))


def _cut(found: Iterator[Valued] | list[Valued]) -> list[Valued]:
    """Return the values of least cost, equal ones once."""
    best: dict[str, Valued] = {}
    for one in sorted(islice(found, 50_000), key=lambda valued: valued.cost):
        best.setdefault(identity(one.value), one)
        if len(best) >= MOST:
            break
    return list(best.values())
