"""What an observation offers to choose from: lettered options, lists with a most and a least."""

import re
from collections.abc import Iterator
from itertools import islice

from probes.base import Json

DEEPEST = 6
MOST = 200
_OPTION = re.compile(
    r"(?:^|[\n;,]|\s{2})[ \t]{0,20}\(?([A-Ha-h]|[1-9])[).:]\s{1,3}(\S[^\n]{0,200})", re.MULTILINE
)
_MOST = re.compile(
    r"\b(?:most|max(?:imum|imal)?|largest|greatest|highest|heaviest|longest|biggest|best|latest)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:least|min(?:imum|imal)?|smallest|lowest|lightest|shortest|fewest|cheapest|earliest)\b",
    re.IGNORECASE,
)


def lettered(text: str) -> list[str]:
    """Return the marks of the options that a text lists, as in "A) red", each once.

    Example:
        >>> lettered("Which is a fruit?  A) stone  B) plum")
        ['A', 'B']
    """
    marks = list(dict.fromkeys(found[1] for found in islice(_OPTION.finditer(text), MOST)))
    return marks if len(marks) > 1 else []


def columns(observation: Json) -> Iterator[list[float]]:
    """Yield lists of numbers that stand for alternatives: in a list, or in a list of objects."""
    yield from _columns(observation, 0)


def _columns(value: Json, depth: int) -> Iterator[list[float]]:
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        for member in islice(value.values(), MOST):
            yield from _columns(member, depth + 1)
    elif isinstance(value, list) and 1 < len(value) <= MOST:
        if all(_is_number(one) for one in value):
            yield [float(one) for one in value]  # type: ignore[arg-type]
        elif all(isinstance(one, dict) for one in value):
            names = list(value[0]) if isinstance(value[0], dict) else []
            for name in names[:10]:
                column = [one.get(name) for one in value if isinstance(one, dict)]
                if all(_is_number(one) for one in column):
                    yield [float(one) for one in column]  # type: ignore[arg-type]


def wants(text: str) -> tuple[bool, ...]:
    """Return which end is asked for, the likelier first: True for the most, False for the least.

    Example:
        >>> wants("Which is the cheapest?"), wants("Take one.")
        ((False,), (True, False))
    """
    most, least = bool(_MOST.search(text)), bool(_LEAST.search(text))
    return (most,) if most != least else (True, False)


def place_of(column: list[float], *, most: bool) -> int:
    """Return the place of the greatest number, or of the least."""
    return column.index(max(column) if most else min(column))


def order_of(column: list[float], *, most: bool) -> list[int]:
    """Return the places from the least to the greatest, or the other way round."""
    return sorted(range(len(column)), key=column.__getitem__, reverse=most)


def _is_number(value: Json) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return value.bit_length() < 1000
    return isinstance(value, float)
