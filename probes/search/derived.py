"""What can be worked out of what was seen: numbers, texts, lists, each with what it comes from."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
LONGEST = 60
"""Characters of a text that is taken as a value."""
LONGEST_READ = 8_000
LONGEST_LIST = 200
LARGEST = 10**12
"""Size of a number beyond which nothing is worked out from it."""
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,12}(?:\.\d{1,9})?(?:/\d{1,9})?(?![\w/]|\.\d)")
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`")
_TOKEN = re.compile(r"[^\s,;:!?()\[\]{}\"'`<>]{1,60}")
_SHAPED = re.compile(r".*(?:\d.*[^\W\d]|[^\W\d].*\d|[@_/\\-]|\w\.\w|[a-z][A-Z]|[A-Z]{2})")
_LINES = re.compile(r"(?:^\s{0,5}-?\d{1,9}\s{0,5}$\n?){2,200}", re.MULTILINE)
_ROW = re.compile(r"-?\d{1,9}(?:,?\s{1,3}-?\d{1,9}){2,200}")

Transform = Callable[[list[int]], list[int]]
TRANSFORMS: tuple[Transform, ...] = (
    lambda n: sorted(n),
    lambda n: sorted(n, reverse=True),
    lambda n: n[::-1],
    lambda n: [2 * x for x in n],
    lambda n: [x for x in n if x % 2 == 0],
    lambda n: [x for x in n if x % 2],
    lambda n: list(accumulate(n)),
    lambda n: sorted(set(n)),
    lambda n: [x * x for x in n],
    lambda n: [-x for x in n],
    lambda n: [b - a for a, b in zip(n, n[1:], strict=False)],
    lambda n: [sum(n)],
    lambda n: [max(n)],
    lambda n: [min(n)],
    lambda n: [len(n)],
)
"""What is often asked for of a list of numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What was seen in an episode so far, and what can be worked out of it."""

    text: str
    """All texts, the oldest first."""
    members: Mapping[str, Json] = field(default_factory=dict)
    """Numbers and short texts of the newest sight that have a name, by it."""
    written: tuple[Fraction, ...] = ()
    """Numbers that texts name, in their order."""
    numbers: tuple[Fraction, ...] = ()
    """Numbers of the newest sight that stand by themselves."""
    origins: Mapping[Fraction, frozenset[str]] = field(default_factory=dict)
    """Names on the way to each of those numbers, and to what is worked out of two of them."""
    computed: tuple[Fraction, ...] = ()
    """Sums, differences, products and quotients of two of all of them."""
    answers: tuple[str, ...] = ()
    """Sums that a text asks for, worked out, as a text would say them."""
    tokens: tuple[str, ...] = ()
    """Texts that may be values: short members, quoted ones, tokens of uncommon shape, words."""
    lists: tuple[tuple[Json, ...], ...] = ()
    """Lists of the newest sight."""
    transformed: tuple[str, ...] = ()
    """Lists of numbers, in a text or by themselves, sorted, reversed, doubled, summed up."""


def derive(seen: Sequence[Json]) -> Derived:
    """Return what the sights of an episode, the oldest first, let one work out."""
    newest = seen[-1] if seen else None
    text = "\n".join(dict.fromkeys(map(texts_of, (*seen[:1], *seen[-4:]))))[-LONGEST_READ:]
    leaves = list(islice(_leaves(newest, (), 0), 500))
    prose = "\n".join(dict.fromkeys(_prose(seen)))[-LONGEST_READ:]
    written = _fractions(prose)
    plain = [(Fraction(str(value)), way) for way, value in leaves if _is_plain(value)]
    numbers = list(dict.fromkeys(number for number, _ in plain))[:MOST_NUMBERS]
    origins: dict[Fraction, frozenset[str]] = {}
    for number, way in plain:
        origins[number] = origins.get(number, frozenset()) | frozenset(way)
    computed = list(_computed(plain[:MOST_NUMBERS], written, origins))
    lists = list(islice(_lists(newest, 0), MOST_LISTS))
    return Derived(
        text=text,
        members={
            way[-1]: value
            for way, value in leaves
            if way and (_is_plain(value) or (isinstance(value, str) and len(value) <= LONGEST))
        },
        written=tuple(written),
        numbers=tuple(numbers),
        origins=origins,
        computed=tuple(dict.fromkeys(computed)),
        answers=tuple(dict.fromkeys(_answers(prose, written))),
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
    shaped = [one for one in said if one and _SHAPED.fullmatch(one)]
    yield from shaped[:30]
    yield from lettered(text)
    yield from (v for _, v in leaves if isinstance(v, str) and 0 < len(v) <= LONGEST)
    words = [one for one in said if one.isalpha()]
    counts: dict[str, int] = {}
    for one in words:
        counts[one] = counts.get(one, 0) + 1
    yield from sorted(dict.fromkeys(words), key=lambda word: (len(word) < 4, counts[word]))


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
    for numbers, between, end in reversed(found):
        small = [x for x in numbers if abs(x) < LARGEST]
        if len(small) < 2:
            continue
        for transform in TRANSFORMS:
            yield between.join(map(str, transform(small))) + end
