"""Legal moves that an observation or an error lists."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from probes.base import Json

DEEPEST = 6
MOST = 500
"""Moves of one list that are read."""
MOST_LISTS = 20
MOST_LOOKED_AT = 5_000
"""Parts of an observation in which lists are looked for."""
LARGEST_COUNT = 10_000

GENERIC = frozenset({"move", "action", "command", "option", "choice", "candidate", "id", "index"})
"""What a list may be of without naming the member it is for."""
PLACES = frozenset(
    {"word", "letter", "column", "row", "position", "cell", "square", "direction", "target"}
)
"""What a list may be of that is for a member of this name, or else for any."""

_LEGAL = re.compile(
    r"(?:legal|valid|available|possible|allowed|admissible|permitted)_?([a-z_]{0,40})",
    re.IGNORECASE,
)
_BARE = frozenset({"options", "choices", "candidates", "moves"})
_MASK = re.compile(r"mask$", re.IGNORECASE)
_COUNT = re.compile(
    r"(?:n|num|number_of)_(?:legal_|valid_)?(?:actions|moves|options|choices)|action_count",
    re.IGNORECASE,
)
_DISCRETE = re.compile(r"discrete\((?:n=)?(\d{1,5})\)", re.IGNORECASE)
_IN_TEXT = re.compile(
    r"\b(?:legal|valid|available|possible|allowed|admissible)\s(?:moves?|actions?|commands?"
    r"|options?|choices?)\b[^\n:]{0,20}:\s{0,3}([^\n]{1,2000})",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"\b(?:one of|must be|expected|input should be|choose from|valid \w{1,20} are|options are)"
    r"[:\s]{0,3}(?:one of\s{1,3})?[\[({]?\s{0,3}"
    r"((?:'[^'\n]{1,60}'|\"[^\"\n]{1,60}\")"
    r"(?:\s{0,3}(?:,|or|, or|and)\s{0,3}(?:'[^'\n]{1,60}'|\"[^\"\n]{1,60}\"))*)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"")
_BRACKETED = re.compile(r"\[[^\[\]\n]{1,40}\]")
_BETWEEN = re.compile(r",|;|\||\s\bor\b\s|\s\band\b\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """One list of what is legal now."""

    values: tuple[Json, ...]
    member: str = ""
    """Name of the member it is for, in the singular; empty where it does not say."""


def listed_moves(observation: Json) -> tuple[Moves, ...]:
    """Return the lists of legal moves in an observation, wherever they stand in it."""
    return tuple(islice(_lists(observation, [MOST_LOOKED_AT], 0), MOST_LISTS))


def moves_in_text(text: str) -> tuple[str, ...]:
    """Return what the last "Valid moves: ..." of a text lists; at least two, or none at all."""
    lines = [found[1] for found in _IN_TEXT.finditer(text)]
    if not lines:
        return ()
    line = lines[-1]
    quoted = [one or other for one, other in _QUOTED.findall(line)]
    bracketed = _BRACKETED.findall(line)
    if len(quoted) < 2 and len(bracketed) > 1:
        items = bracketed
    elif len(quoted) > 1:
        items = quoted
    else:
        plain = bracketed[0][1:-1] if bracketed else line.strip(" .")
        items = _BETWEEN.split(plain) if _BETWEEN.search(plain) else plain.split()
    clean = (item.strip(" '\"") for item in items[:MOST])
    once = tuple(dict.fromkeys(item for item in clean if 0 < len(item) <= 60))
    return once if len(once) > 1 else ()


def words_named(error: str) -> tuple[str, ...]:
    """Return the quoted texts that an error calls the legal ones."""
    found = _ONE_OF.search(error)
    if found is None:
        return ()
    return tuple(dict.fromkeys(one or other for one, other in _QUOTED.findall(found[1])))


def _lists(value: Json, left: list[int], depth: int) -> Iterator[Moves]:
    left[0] -= 1
    if depth > DEEPEST or left[0] < 0:
        return
    if isinstance(value, list):
        for element in value[:MOST]:
            if isinstance(element, dict | list):
                yield from _lists(element, left, depth + 1)
    elif isinstance(value, dict):
        for name, member in islice(value.items(), MOST):
            found = _list_of(name, member)
            if found is not None:
                yield found
            elif isinstance(member, dict | list):
                yield from _lists(member, left, depth + 1)


def _list_of(name: str, value: Json) -> Moves | None:
    """Read a member of an observation as a list of moves, where its name says that it is one."""
    count = _count(name, value)
    if count is not None:
        return Moves(values=tuple(range(count)))
    if not isinstance(value, list | dict) or not value:
        return None
    if isinstance(value, list) and _MASK.search(name):
        legal = (place for place, one in enumerate(value[:LARGEST_COUNT]) if one in (1, True))
        stem = _MASK.sub("", name).strip("_")
        found = _LEGAL.fullmatch(stem)
        return Moves(values=tuple(legal), member=_member(stem if found is None else found[1]))
    found = _LEGAL.fullmatch(name)
    if found is None and name.lower() not in _BARE:
        return None
    member = _member(found[1]) if found is not None else ""
    if isinstance(value, dict):
        return Moves(values=tuple(islice(_of_keys(value), MOST)), member=member)
    return Moves(values=tuple(value[:MOST]), member=member)


def _of_keys(value: dict[str, Json]) -> Iterator[Json]:
    """Yield the names of a listing by name, and those of numbers as numbers, too."""
    for name in value:
        yield name
        if name.isascii() and name.isdigit() and len(name) < 10:
            yield int(name)


def _count(name: str, value: Json) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and _COUNT.fullmatch(name):
        return value if 0 < value <= LARGEST_COUNT else None
    if name.lower() not in ("action_space", "actions"):
        return None
    if isinstance(value, dict):
        value = value.get("n")
        is_count = isinstance(value, int) and not isinstance(value, bool)
        return value if is_count and 0 < value <= LARGEST_COUNT else None  # type: ignore[operator,return-value]
    found = _DISCRETE.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found is not None and 0 < int(found[1]) <= LARGEST_COUNT else None


def _member(name: str) -> str:
    """Return the singular of what a list is of, empty where that says nothing."""
    stem = re.sub(r"_?(?:ids|list|indices|indexes|mask)$", "", name.lower().strip("_"))
    stem = stem.removesuffix("s") if not stem.endswith("ss") else stem
    return "" if stem in GENERIC else stem
