"""What can be worked out of what was seen: numbers, texts, lists, each with what it comes from."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, islice

from probes.actions.text import texts_of
from probes.base import Json
from probes.reactive.options import lettered
from probes.reactive.sums import sums_in

DEEPEST = 8
MOST_NUMBERS = 16
"""Numbers of what was seen that others are worked out from."""
MOST_LISTS = 6
MOST_TOKENS = 80
MOST_COUNTED = 8
"""Texts with numbers of which the numbers are multiplied."""
MOST_RECORDS = 40
MOST_NAMES = 12
LONGEST = 60
"""Characters of a text that is taken as a value."""
LONGEST_READ = 8_000
LONGEST_LIST = 200
LARGEST = 10**12
"""Size of a number beyond which nothing is worked out from it."""
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,12}(?:\.\d{1,9})?(?:/\d{1,9})?(?![\w/]|\.\d)")
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`")
_TOKEN = re.compile(r"[^\s,;:!?()\[\]{}\"'`<>]{1,60}")
_SHAPED = re.compile(r"\d.*[^\W\d]|[^\W\d].*\d|[@_/\\-]|\w\.\w|[a-z][A-Z]|[A-Z]{2}")
_CLAUSE = re.compile(r"[,;:\n]|\.\s")
_WORDS = re.compile(r"[^\W\d_]{1,30}")
_LINES = re.compile(r"(?:^\s{0,5}-?\d{1,9}\s{0,5}$\n?){2,200}", re.MULTILINE)
_ROW = re.compile(r"-?\d{1,9}(?:,?\s{1,3}-?\d{1,9}){2,200}")

FUNCTION_WORDS = frozenset(
    re.split(
        " ",
        "a about an and any are as at be been but by can do does for from had has have how i if in "
        "into is it its me my no not of on or our please so than that the their them then there "
        "these they this those to up us was we were what when where which while who why will with "
        "would you your",
    )
)
"""Words that say how others belong together, and are hardly ever a value themselves."""

Transform = Callable[[list[int]], list[int]]
TRANSFORMS: tuple[tuple[str, Transform], ...] = (
    ("sort|order|ascend|smallest", lambda n: sorted(n)),
    ("largest|descend|highest", lambda n: sorted(n, reverse=True)),
    ("revers|backward", lambda n: n[::-1]),
    ("doubl|twice", lambda n: [2 * x for x in n]),
    ("even", lambda n: [x for x in n if x % 2 == 0]),
    ("odd", lambda n: [x for x in n if x % 2]),
    ("running|cumul|prefix", lambda n: list(accumulate(n))),
    ("unique|distinct|duplicate", lambda n: sorted(set(n))),
    ("square", lambda n: [x * x for x in n]),
    ("negat|sign", lambda n: [-x for x in n]),
    ("differ", lambda n: [b - a for a, b in zip(n, n[1:], strict=False)]),
    ("sum|total|add", lambda n: [sum(n)]),
    ("max|largest|highest|greatest", lambda n: [max(n)]),
    ("min|smallest|lowest|least", lambda n: [min(n)]),
    ("count|how many|length", lambda n: [len(n)]),
)
"""What is often asked for of a list of numbers, and how a text that asks for it begins a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What was seen in an episode so far, and what can be worked out of it."""

    text: str
    """All texts, the oldest first."""
    members: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    """Numbers and short texts that have a name, by it: of the newest sight, and of older ones what
    the newest has no other value of. Of the elements of a list those first of which the first sight
    names most."""
    named: frozenset[str] = frozenset()
    """Names whose first value stands in a list, beside more that the first sight names than any
    other value does."""
    written: tuple[Fraction, ...] = ()
    """Numbers that texts name, in their order."""
    numbers: tuple[Fraction, ...] = ()
    """Numbers of the newest sight that stand by themselves."""
    origins: Mapping[Fraction, frozenset[str]] = field(default_factory=dict)
    """Names on the way to each of those numbers, and to what is worked out of two of them."""
    beside: Mapping[Fraction, frozenset[str]] = field(default_factory=dict)
    """Words that a text has beside a number, and beside those that it is worked out from."""
    scaled: tuple[Fraction, ...] = ()
    """Products of so much each and so many."""
    computed: tuple[Fraction, ...] = ()
    """Sums, differences, products and quotients of two of all of them."""
    answers: tuple[str, ...] = ()
    """Sums that a text asks for, worked out, as a text would say them."""
    tokens: tuple[str, ...] = ()
    """Texts that may be values: short members, quoted ones, tokens of uncommon shape, words."""
    lists: tuple[tuple[Json, ...], ...] = ()
    """Lists of the newest sight."""
    transformed: tuple[str, ...] = ()
    """Lists of numbers, in a text or by themselves, sorted, reversed, doubled, summed up: first
    what the text asks for."""


def derive(seen: Sequence[Json]) -> Derived:
    """Return what the sights of an episode, the oldest first, let one work out."""
    newest = seen[-1] if seen else None
    text = "\n".join(dict.fromkeys(map(texts_of, (*seen[:1], *seen[-4:]))))[-LONGEST_READ:]
    leaves = list(islice(_leaves(newest, (), 0), 500))
    older = _older(seen, {way for way, _ in leaves})
    prose = _cut_to(LONGEST_READ, dict.fromkeys(_prose(seen)))
    whole = "\n".join(prose)[-LONGEST_READ:]
    written = _fractions(whole)
    plain = [(Fraction(str(value)), way) for way, value in leaves if _is_plain(value)]
    behind = [(Fraction(str(value)), way) for way, value in older if _is_plain(value)]
    numbers = dict.fromkeys(number for number, _ in (*plain, *behind))
    origins: dict[Fraction, frozenset[str]] = {}
    for number, way in plain:
        origins[number] = origins.get(number, frozenset()) | frozenset(way)
    computed = list(_computed(plain[:MOST_NUMBERS], written, origins))
    lists = list(islice(_lists(newest, 0), MOST_LISTS))
    members, named = _members(seen, leaves, older)
    beside = _beside(prose)
    return Derived(
        text=text,
        members=members,
        named=named,
        written=tuple(written),
        numbers=tuple(numbers)[:MOST_NUMBERS],
        origins=origins,
        beside=beside,
        scaled=tuple(dict.fromkeys(_scaled(prose, beside))),
        computed=tuple(dict.fromkeys(computed)),
        answers=tuple(dict.fromkeys(_answers(whole, written))),
        tokens=tuple(islice(dict.fromkeys(_tokens(text, leaves)), MOST_TOKENS)),
        lists=tuple(tuple(one) for one in lists),
        transformed=tuple(dict.fromkeys(_transformed(text, lists))),
    )


def spell(number: Fraction) -> str:
    """Return a number in decimals, as a text says it."""
    if number.denominator == 1:
        return str(number.numerator)
    return f"{float(number):.12g}"


def _leaves(
    value: Json, way: tuple[str, ...], depth: int
) -> Iterator[tuple[tuple[str, ...], Json]]:
    if depth > DEEPEST:
        return
    match value:
        case dict():
            for name, member in islice(value.items(), 200):
                yield from _leaves(member, (*way, name[:LONGEST]), depth + 1)
        case list():
            for element in value[:100]:
                yield from _leaves(element, way, depth + 1)
        case _:
            yield way, value


def _is_plain(value: Json) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and -LARGEST < value < LARGEST  # type: ignore[operator]


def _prose(seen: Sequence[Json]) -> Iterator[str]:
    """Yield the texts of the first and the newest sights, without what is a number by itself."""
    for sight in (*seen[:1], *seen[-3:]):
        for _, value in islice(_leaves(sight, (), 0), 500):
            if isinstance(value, str) and value:
                yield value[:LONGEST_READ]


def _older(seen: Sequence[Json], known: set[tuple[str, ...]]) -> list[tuple[tuple[str, ...], Json]]:
    """Return leaves of earlier sights, the newest first, that no later one has a value of."""
    found: list[tuple[tuple[str, ...], Json]] = []
    known = set(known)
    for sight in (*seen[-4:-1][::-1], *seen[: max(0, min(1, len(seen) - 4))]):
        fresh = [one for one in islice(_leaves(sight, (), 0), 500) if one[0] not in known]
        known |= {way for way, _ in fresh}
        found += fresh
    return found


def _members(
    seen: Sequence[Json],
    leaves: Sequence[tuple[tuple[str, ...], Json]],
    older: Sequence[tuple[tuple[str, ...], Json]],
) -> tuple[dict[str, tuple[Json, ...]], frozenset[str]]:
    """Return values by name, and the names of which the first value is singled out."""
    members: dict[str, list[Json]] = {}
    named: set[str] = set()
    asked = texts_of(seen[0])[:LONGEST_READ] if seen else ""
    beside = _beside([asked])
    for sight in seen[-4:][::-1]:
        for records in islice(_records(sight, 0), MOST_LISTS):
            scores = [
                sum(_said(asked.casefold(), beside, name, value) for name, value in one.items())
                for one in records
            ]
            best = sorted(range(len(records)), key=lambda place: -scores[place])
            for name in records[best[0]]:
                if name in members:
                    continue
                members[name] = [records[place][name] for place in best if name in records[place]]
                if scores[best[0]] > scores[best[1]]:
                    named.add(name)
    for way, value in (*leaves, *older):
        if way and (_is_plain(value) or (isinstance(value, str) and len(value) <= LONGEST)):
            members.setdefault(way[-1], []).append(value)
    unique = {name: tuple(dict.fromkeys(values)) for name, values in members.items()}
    return {name: values[:MOST_NUMBERS] for name, values in unique.items()}, frozenset(named)


def _records(value: Json, depth: int) -> Iterator[list[dict[str, Json]]]:
    """Yield lists of objects, each object with what it holds of numbers and short texts."""
    if depth > DEEPEST or not isinstance(value, dict | list):
        return
    if isinstance(value, list) and len(value) > 1 and all(isinstance(one, dict) for one in value):
        yield [
            {
                name[:LONGEST]: held
                for name, held in islice(one.items(), MOST_NAMES)
                if _is_plain(held) or (isinstance(held, str) and 0 < len(held) <= LONGEST)
            }
            for one in value[:MOST_RECORDS]
            if isinstance(one, dict)
        ]
    for member in islice(value.values() if isinstance(value, dict) else value, 200):
        yield from _records(member, depth + 1)


def _said(text: str, beside: Mapping[Fraction, frozenset[str]], name: str, value: Json) -> float:
    """Return how surely a text means a member: 1 where it has its value as a word of its own.

    Half of it for a number that does not stand beside the member's name.
    """
    if isinstance(value, int | float):
        words = beside.get(Fraction(str(value)))
        alike = {word.rstrip("s") for word in words or ()}
        return 0.0 if words is None else 1.0 if name.casefold().rstrip("s") in alike else 0.5
    word = f"{value}".casefold()
    return float(word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None)


def _beside(prose: Sequence[str]) -> dict[Fraction, frozenset[str]]:
    """Return the words of the clause that each number stands in."""
    found: dict[Fraction, frozenset[str]] = {}
    for text in prose:
        for clause in islice(_CLAUSE.split(text), 100):
            words = frozenset(word.casefold() for word in _WORDS.findall(clause)[:30])
            for number in _fractions(clause):
                found[number] = found.get(number, frozenset()) | words
    return found


def _scaled(prose: Sequence[str], beside: dict[Fraction, frozenset[str]]) -> Iterator[Fraction]:
    """Yield products of numbers of two texts that count the same: so much each, so many of them.

    What they count is a word of four letters or more that both have beside them, but for an s.
    """
    counted = [(text, _fractions(text)) for text in prose]
    counted = [(text, numbers) for text, numbers in counted if numbers][-MOST_COUNTED:]
    for place, (_, numbers) in enumerate(counted):
        for _, others in counted[:place]:
            for one in numbers:
                for many in others:
                    if one != many and _stems(beside.get(one)) & _stems(beside.get(many)):
                        beside.setdefault(one * many, beside[one] | beside[many])
                        yield one * many


def _stems(words: frozenset[str] | None) -> set[str]:
    return {word.rstrip("s") for word in words or () if len(word) > 3}


def _cut_to(room: int, texts: Iterable[str]) -> list[str]:
    """Return as many of the last of some texts as have room together."""
    kept: list[str] = []
    for text in reversed([*texts]):
        if room <= 0:
            break
        kept.append(text[:room])
        room -= len(text) + 1
    return kept[::-1]


def _fractions(text: str) -> list[Fraction]:
    found = []
    for one in _NUMBER.findall(text)[:100]:
        try:
            found.append(Fraction(one))
        except ZeroDivisionError:
            continue
    return list(dict.fromkeys(found))[:MOST_NUMBERS]


def _computed(
    plain: Sequence[tuple[Fraction, tuple[str, ...]]],
    written: Sequence[Fraction],
    origins: dict[Fraction, frozenset[str]],
) -> Iterator[Fraction]:
    """Yield what two numbers make: first differences of those beside each other."""
    for gap in range(1, len(plain)):
        for (one, way), (other, its) in zip(plain, plain[gap:], strict=False):
            for number in (other - one, one - other):
                if number:
                    origins.setdefault(number, frozenset(set(way) & set(its)))
                    yield number
    every = [*written, *(number for number, _ in plain)][:MOST_NUMBERS]
    for place, one in enumerate(every):
        yield 2 * one
        for other in every[:place]:
            yield from (one * other, one + other, one - other, other - one)
            if one and other:
                yield from (one / other, other / one)


def _answers(prose: str, written: Sequence[Fraction]) -> Iterator[str]:
    """Yield what a text that names numbers may ask for: fractions, and decimals of the same."""
    yield from sums_in(prose)
    parts = [one for one in written if one.denominator > 1]
    yield from map(spell, parts)
    for place, one in enumerate(written[:6]):
        for other in written[:place]:
            results = [one + other, other - one, one * other, one - other]
            results += [other / one] if one else []
            results += [one / other] if other else []
            for result in results[: 6 if len(written) <= 3 else 3]:
                yield str(result)
                if result.denominator > 1:
                    yield spell(result)


def _tokens(text: str, leaves: Sequence[tuple[tuple[str, ...], Json]]) -> Iterator[str]:
    for found in _QUOTED.findall(text)[:30]:
        yield next(part for part in found if part)
    said = [one.rstrip(".") for one in _TOKEN.findall(text)]
    shaped = [one for one in said if one and _SHAPED.search(one)]
    yield from shaped[:30]
    yield from lettered(text)
    yield from (v for _, v in leaves if isinstance(v, str) and 0 < len(v) <= LONGEST)
    words = [one for one in said if one.isalpha()]
    counts: dict[str, int] = {}
    for one in words:
        counts[one] = counts.get(one, 0) + 1
    yield from sorted(
        dict.fromkeys(words), key=lambda word: (word.casefold() in FUNCTION_WORDS, counts[word])
    )


def _lists(value: Json, depth: int) -> Iterator[list[Json]]:
    if depth > DEEPEST or not isinstance(value, dict | list):
        return
    if isinstance(value, list) and 1 < len(value) <= LONGEST_LIST:
        flat = not any(isinstance(one, dict | list) for one in value)
        yield from [value] if flat else []
    for member in islice(value.values() if isinstance(value, dict) else value, 200):
        yield from _lists(member, depth + 1)


def _transformed(text: str, lists: Sequence[list[Json]]) -> Iterator[str]:
    found: list[tuple[list[int], str, str]] = []
    for block in islice(_LINES.finditer(text), MOST_LISTS):
        lines = block[0].split()
        found.append(([int(one) for one in lines], "\n", "\n"))
    for row in islice(_ROW.finditer(text), MOST_LISTS):
        if "\n" not in row[0]:
            parts = re.findall(r"-?\d+", row[0])
            found.append(([int(one) for one in parts], ", " if "," in row[0] else " ", ""))
    for one in lists:
        whole = [x for x in one if isinstance(x, int) and not isinstance(x, bool)]
        if len(whole) == len(one):
            found.append((whole, ", ", ""))
    low = text.casefold()
    asked = [bool(re.search(rf"\b(?:{words})", low)) for words, _ in TRANSFORMS]
    order = sorted(range(len(TRANSFORMS)), key=lambda place: not asked[place])
    for numbers, between, end in reversed(found):
        small = [x for x in numbers if abs(x) < LARGEST]
        if len(small) < 2:
            continue
        for place in order:
            yield between.join(map(str, TRANSFORMS[place][1](small))) + end
