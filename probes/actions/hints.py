"""What observations and error texts say of legal actions, beyond a loose schema.

Hardly a public schema bounds its integers. What does bound them are lists of legal moves in the
observation, ranges that a text names, and the words of an error.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from probes.actions.fit import fits, fits_number
from probes.actions.listed import PLACES, Moves, listed_moves, moves_in_text, words_named
from probes.actions.meet import narrowed
from probes.actions.ranges import Span, length_named, spans
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
    resolve,
)
from probes.actions.text import ideas_in, texts_of
from probes.base import Json, Seen

DEEPEST = 6
MOST_SPANS = 50
LONGEST_ERROR = 4_000
_ERROR_NAMES = ("error", "error_message", "last_action_error", "last_error")
_CODES = re.compile(r"(?<![\w.])(\d{1,4})\s?[=:]\s?([A-Za-z][\w ]{0,30})")
_LISTING = re.compile(r":\s{0,3}(['\"A-Za-z_][^\n:.]{2,400})|\((?:e\.g\.,?\s)?([^()\n]{3,200})\)")
_EITHER = re.compile(r"[\w'\"`., |-]{1,200}?(?:\sor\s|\s?\|\s?)[\w'\"`.-]{1,30}")
_ITEM = re.compile(r"[\w.-]{1,30}")
_BETWEEN = re.compile(r"\s{0,2}(?:,|;|\||/)\s{0,2}(?:(?:or|and)\s)?|\s(?:or|and)\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What is known to be legal now."""

    moves: tuple[Moves, ...] = ()
    """Lists of legal moves: whole actions, or values of one member."""
    said: tuple[Span, ...] = ()
    """Ranges that errors named, in their order."""
    shown: tuple[Span, ...] = ()
    """Ranges that the observation names."""
    length: int | None = None
    """Length of a list, as an error said."""
    words: tuple[str, ...] = ()
    """Legal texts, as an error said."""
    ideas: tuple[tuple[str, ...], ...] = ()
    """Texts worth writing."""
    read: str = ""
    """The text that `ideas` and `shown` come from."""
    wants_text: bool = True
    """Texts are read; of no use where the schema leaves nothing open."""

    def seen(self, seen: Seen) -> "Hints":
        """Return what is known after a further look.

        Moves belong to the observation or the error they stand in; ranges, lengths and words
        that an error named stay true.
        """
        text = texts_of(seen.observation) if self.wants_text else ""
        error = error_in(seen)
        same = text == self.read
        shown = self.shown if same else spans(text, one_sided=False)
        return Hints(
            moves=(*listed_moves(seen.observation), *_moves_of_texts(error, text)),
            said=(*self.said, *spans(error, one_sided=True))[-MOST_SPANS:],
            shown=shown or self.shown,
            length=length_named(error) or self.length,
            words=words_named(error) or self.words,
            ideas=self.ideas if same else ideas_in(text),
            read=text,
            wants_text=self.wants_text,
        )

    def narrow(self, space: Space) -> Space:
        """Return the space as far as the hints leave it; all of it where they fit nothing."""
        whole = [
            move
            for moves in self.moves
            for move in moves.values
            if isinstance(move, dict) and fits(space, space.root, move)
        ]
        if whole:
            return replace(space, root=Choice(tuple(whole)), heights={})
        return replace(space, root=_Narrowing(self, space).root(), heights={})


def error_in(seen: Seen) -> str:
    """Return the text of what went wrong with the last action, empty where nothing is said.

    A tool environment answers a failed call with an ordinary observation that holds the error.
    """
    if seen.error is not None:
        return seen.error[:LONGEST_ERROR]
    if seen.step == 0 or not isinstance(seen.observation, dict):
        return ""
    for name in _ERROR_NAMES:
        found = seen.observation.get(name)
        if found and isinstance(found, str | dict):
            return texts_of(found)[:LONGEST_ERROR]
    result = seen.observation.get("result")
    if isinstance(result, dict) and (result.get("is_error") or result.get("isError")):
        return texts_of(result)[:LONGEST_ERROR]
    return ""


def is_refused(seen: Seen) -> bool:
    """Say whether the last action was not carried out: an error frame, or a call that failed."""
    if seen.error is not None:
        return True
    found = seen.observation.get("error") if isinstance(seen.observation, dict) else None
    return seen.step > 0 and isinstance(found, dict) and "error_type" in found


def _moves_of_texts(error: str, text: str) -> tuple[Moves, ...]:
    """Return moves that a text lists, the numbers among them as numbers too.

    What an observation lists in prose may be prose: there only numbers are taken as the moves,
    and words are ideas.
    """
    named = moves_in_text(error)
    shown = moves_in_text(text)
    numbers = [one for one in named or shown if _is_integer(one)]
    if numbers and len(numbers) == len(named or shown):
        return (Moves(values=(*numbers, *map(int, numbers))),)
    return (Moves(values=named),) if named else ()


def _is_integer(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 10


class _Narrowing:
    def __init__(self, hints: Hints, space: Space) -> None:
        self._hints = hints
        self._space = space
        self._names: set[str] = set()

    def root(self) -> Node:
        self._names = {one.name for one in self._fields(self._space.root, 0)}
        return self._node(self._space.root, None, 0)

    def _fields(self, node: Node, depth: int) -> Iterable[Field]:
        node = resolve(self._space, node)
        if depth > DEEPEST:
            return
        for inside in node.options if isinstance(node, Union) else ():
            yield from self._fields(inside, depth + 1)
        for one in node.fields if isinstance(node, Object) else ():
            yield one
            yield from self._fields(one.node, depth + 1)

    def _node(self, node: Node, field: Field | None, depth: int) -> Node:
        """Narrow a node; `field` is the member that it is the value of."""
        known = resolve(self._space, node)
        if depth > DEEPEST:
            return node
        match known:
            case Object(fields=fields):
                return replace(known, fields=self._members(fields, depth))
            case Union(options=options, meant=meant):
                new = {id(one): self._node(one, field, depth + 1) for one in options}
                return replace(
                    known,
                    options=tuple(new[id(one)] for one in options),
                    meant=None if meant is None else tuple(new[id(one)] for one in meant),
                )
            case Array():
                return self._array(known, field, depth)
            case Choice() | Whole() | Real() | Text():
                return self._leaf(known, field)
        return node

    def _members(self, fields: tuple[Field, ...], depth: int) -> tuple[Field, ...]:
        """Narrow the members of an object.

        A list of moves without a name is for the needed members that it fits, and for the
        optional ones only where there is no such.
        """
        needed = [one for one in fields if one.required]
        taken = any(self._moves_for(one.node, one) for one in needed)
        out = []
        for one in fields:
            if one.name in IGNORED or (taken and not one.required and not self._is_named(one)):
                out.append(one)
            else:
                out.append(replace(one, node=self._node(one.node, one, depth + 1)))
        return tuple(out)

    def _array(self, node: Array, field: Field | None, depth: int) -> Node:
        length = self._hints.length
        if length is not None and node.most is None and node.least <= length:
            node = replace(node, least=length, most=length)
        if isinstance(node.rest, Link):
            return node
        return replace(node, rest=self._node(node.rest, field, depth + 1))

    def _leaf(self, node: Choice | Whole | Real | Text, field: Field | None) -> Node:
        fitting = self._moves_for(node, field)
        if fitting:
            return Choice(fitting)
        if isinstance(node, Whole | Real):
            return self._number(node, field)
        if isinstance(node, Text) and not node.patterns:
            words = tuple(word for word in self._hints.words if fits(self._space, node, word))
            if words and self._speaks_of(frozenset(), field):
                return Choice(words)
            return self._with_ideas(node, field)
        return node

    def _moves_for(self, node: Node, field: Field | None) -> tuple[Json, ...]:
        node = resolve(self._space, node)
        if not isinstance(node, Choice | Whole | Real | Text):
            return ()
        fitting: list[Json] = []
        for moves in self._hints.moves:
            if self._is_for(moves.member, field):
                fitting += [move for move in moves.values if fits(self._space, node, move)]
        return tuple(fitting)

    def _is_for(self, member: str, field: Field | None) -> bool:
        if not member:
            return True
        if field is not None and _same_thing(member, field.name):
            return True
        claimed = any(_same_thing(member, name) for name in self._names)
        return member in PLACES and not claimed

    def _is_named(self, field: Field) -> bool:
        return any(
            moves.member and _same_thing(moves.member, field.name) for moves in self._hints.moves
        )

    def _number(self, node: Whole | Real, field: Field | None) -> Node:
        """Bound a number by what was said of it, where the schema leaves a side open."""
        if node.low is not None and node.high is not None:
            return node
        noted = field.description if field is not None else ""
        codes = [code for code in codes_noted(noted) if fits_number(node, code)]
        if codes and isinstance(node, Whole):
            return Choice(tuple(codes))
        for found in (self._hints.said, spans(noted, one_sided=True), self._hints.shown):
            mine = [span for span in found if self._speaks_of(span.about, field)]
            low, high = _last_bounds(mine)
            if low is None and high is None:
                continue
            both = narrowed(node, low=low, high=high)
            if both.low is None or both.high is None or both.low <= both.high:
                return both
        return node

    def _speaks_of(self, about: frozenset[str], field: Field | None) -> bool:
        """Say whether a text is about a member: it names it, or names no other one."""
        if field is None or field.name.lower() in about:
            return True
        return not any(name.lower() in about for name in self._names)

    def _with_ideas(self, node: Text, field: Field | None) -> Text:
        noted = words_noted(field.description) if field is not None else ()
        groups = (noted,) if noted else self._hints.ideas
        legal = (tuple(word for word in group if fits(self._space, node, word)) for group in groups)
        return replace(node, ideas=tuple(group for group in legal if group))


def _same_thing(member: str, name: str) -> bool:
    """Say whether a list of `member`s is for the member `name`: column for column_id."""
    parts = name.lower().split("_")
    return member == name.lower() or member in parts


def _last_bounds(found: list[Span]) -> tuple[float | None, float | None]:
    """Return the last bound named on each side; a range with both ends starts anew."""
    low: float | None = None
    high: float | None = None
    for span in found:
        if span.low is not None and span.high is not None:
            low, high = span.low, span.high
        elif span.low is not None:
            low = span.low
        else:
            high = span.high
    if low is not None and high is not None and not low <= high < math.inf:
        return None, None
    return low, high


def codes_noted(description: str) -> dict[int, str]:
    """Return the numbers that a member's description explains: "0=left, 1=right"."""
    found = {int(number): meaning for number, meaning in _CODES.findall(description)}
    return found if len(found) > 1 else {}


def words_noted(description: str) -> tuple[str, ...]:
    """Return the words that a member's description lists.

    "Kind of action: click, fill or noop", "Where to go ('up' or 'down')", "Yes or No".
    """
    listings = [found[1] or found[2] for found in _LISTING.finditer(description)]
    if _EITHER.fullmatch(description):
        listings.append(description)
    for listing in listings:
        items = [item.strip(" '\"`.") for item in _BETWEEN.split(listing)]
        once = tuple(dict.fromkeys(item for item in items if item))
        if len(once) > 1 and all(_ITEM.fullmatch(item) for item in once):
            return once
    return ()
