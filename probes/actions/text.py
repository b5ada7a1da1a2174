"""What to write where free text is wanted: the observation's own words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from probes.actions.listed import moves_in_text
from probes.actions.ranges import Span, spans
from probes.base import Json

LONGEST_READ = 20_000
"""Characters of an observation that are read: of a longer text its beginning and its end."""
MOST = 200
"""Texts of one group."""
DEEPEST = 8
LISTED_WEIGHT = 3
"""How much likelier a listed move is than a text of any other group."""

_BRACKETED = re.compile(r"\[[^\[\]\n]{1,40}\]")
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?!\w|\.\d)")
_WORD = re.compile(r"[^\W\d_]{1,30}")
_OPTION = re.compile(r"^[ \t]{0,20}(?:\(?([A-Ha-h1-9])[).:])\s", re.MULTILINE)
_TOKEN = re.compile(r"(?<![\w-])(?:\d{1,3}|[A-Z])(?!\w)")
_PLACEHOLDER = re.compile(r"\b(?:number|guess|digit|integer|index|n|x)\b", re.IGNORECASE)


def ideas(observation: Json) -> tuple[tuple[str, ...], ...]:
    """Return groups of texts that an observation suggests, each without repetition.

    Listed moves, commands in brackets and what has their shape, quoted texts, letters of
    listed options, numbers, and words. Each group is as likely as another, so that a long
    description does not drown a short list; only listed moves count `LISTED_WEIGHT` times.
    """
    return ideas_in(texts_of(observation))


def ideas_in(text: str) -> tuple[tuple[str, ...], ...]:
    """Return what `ideas` finds in a text that was read already."""
    named = spans(text, one_sided=False)
    numbers = _unique([*_numbers_of(named), *_NUMBER.findall(text)])
    bracketed = _unique(_BRACKETED.findall(text))
    groups = (
        *[moves_in_text(text)] * LISTED_WEIGHT,
        _unique([*bracketed, *_shaped(bracketed, text, numbers)]),
        _unique(next(part for part in found if part) for found in _QUOTED.findall(text)),
        _unique(_OPTION.findall(text)),
        numbers,
        _unique(_WORD.findall(text)),
    )
    return tuple(group for group in groups if group)


def texts_of(observation: Json) -> str:
    """Return all texts of an observation, a line each, as far as they are read."""
    out: list[str] = []
    room = LONGEST_READ
    for text in _texts(observation, 0):
        out.append(text if len(text) <= room else text[: room // 2] + text[-(room // 2) :])
        room -= len(text) + 1
        if room <= 1:
            break
    return "\n".join(out)[:LONGEST_READ]


def _texts(value: Json, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        return
    match value:
        case str():
            yield value
        case bool() | None:
            return
        case int() | float():
            yield _digits(value)
        case list():
            for element in value[:MOST]:
                yield from _texts(element, depth + 1)
        case dict():
            for member in islice(value.values(), MOST):
                yield from _texts(member, depth + 1)


def _digits(number: int | float) -> str:
    """Return a number as text; of a huge integer, which Python will not print, its size."""
    if isinstance(number, int) and number.bit_length() > 128:
        return ""
    return repr(number)


def _numbers_of(named: Sequence[Span]) -> Iterator[str]:
    """Yield the integers of the ranges that a text names."""
    for span in named:
        if span.low is not None and span.high is not None and span.high - span.low < MOST:
            yield from map(str, range(int(span.low), int(span.high) + 1))


def _shaped(commands: Sequence[str], text: str, numbers: Sequence[str]) -> Iterator[str]:
    """Yield commands of the shape of those shown: other numbers, other capital letters.

    "[4]" leads to "[0]", "[A C]" to "[B C]" where a B stands alone in the text, and "[number]"
    to the numbers. Of more than `MOST` combinations an even choice is made.
    """
    letters = _unique(one for one in _TOKEN.findall(text) if one.isalpha())
    integers = tuple(one for one in numbers if one.lstrip("-").isdigit() and len(one) < 4)
    for command in commands[:10]:
        inside = command[1:-1]
        if _PLACEHOLDER.fullmatch(inside.strip()):
            yield from (f"[{number}]" for number in integers)
            continue
        slots = list(_TOKEN.finditer(inside))
        if not slots or len(slots) > 6 or _TOKEN.sub("", inside).strip(" ,;:-"):
            continue
        choices = [integers if slot[0].isdigit() else letters for slot in slots]
        yield from (f"[{filled}]" for filled in _filled(inside, slots, choices))


def _filled(
    inside: str, slots: Sequence[re.Match[str]], choices: Sequence[Sequence[str]]
) -> Iterator[str]:
    total = 1
    for choice in choices:
        total *= max(1, len(choice))
    for step in range(min(total, MOST)):
        number = step if total <= MOST else step * total // MOST
        out, place = [], 0
        for slot, choice in zip(slots, choices, strict=True):
            number, pick = divmod(number, max(1, len(choice)))
            out += [inside[place : slot.start()], choice[pick] if choice else slot[0]]
            place = slot.end()
        yield "".join([*out, inside[place:]])


def _unique(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(dict.fromkeys(found), MOST))
