"""What to write where free text is wanted: the observation's own words."""

import re
from collections.abc import Iterator

from probes.base import Json

LONGEST_READ = 20_000
"""Characters of an observation that are read."""
MOST = 200
"""Texts of one group."""
DEEPEST = 8

_BRACKETED = re.compile(r"\[[^\[\]\n]{1,40}\]")
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?!\w|\.\d)")
_WORD = re.compile(r"[^\W\d_]{1,30}")
_OPTION = re.compile(r"^\s*(?:\(?([A-Ha-h1-9])[).:])\s", re.MULTILINE)


def ideas(observation: Json) -> tuple[tuple[str, ...], ...]:
    """Return groups of texts that an observation suggests, each without repetition.

    Commands in brackets, quoted texts, letters of listed options, numbers, and words, each
    group as likely as another, so that a long description does not drown a short list.
    """
    text = "\n".join(_texts(observation, 0))[:LONGEST_READ]
    groups = (
        _unique(_BRACKETED.findall(text)),
        _unique(next(part for part in found if part) for found in _QUOTED.findall(text)),
        _unique(_OPTION.findall(text)),
        _unique(_NUMBER.findall(text)),
        _unique(_WORD.findall(text)),
    )
    return tuple(group for group in groups if group)


def texts_of(observation: Json) -> str:
    """Return all texts of an observation, a line each, as far as they are read."""
    return "\n".join(_texts(observation, 0))[:LONGEST_READ]


def _texts(value: Json, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        return
    match value:
        case str():
            yield value[:LONGEST_READ]
        case bool() | None:
            return
        case int() | float():
            yield repr(value)[:40]
        case list():
            for element in value[:MOST]:
                yield from _texts(element, depth + 1)
        case dict():
            for member in list(value.values())[:MOST]:
                yield from _texts(member, depth + 1)


def _unique(found: "Iterator[str] | list[str]") -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))[:MOST]
