"""What an observation shows that may be the answer as it stands."""

import re
from collections.abc import Iterator
from itertools import islice

from probes.actions.text import texts_of
from probes.base import Json

DEEPEST = 6
MOST = 100
LONGEST = 400
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?!\w|\.\d)")


def members(observation: Json) -> dict[str, Json]:
    """Return the members of an observation by name, outer ones before inner ones of that name."""
    found: dict[str, Json] = {}
    level: list[Json] = [observation]
    for _ in range(DEEPEST):
        inner: list[Json] = []
        for value in level[:MOST]:
            if isinstance(value, dict):
                for name, member in islice(value.items(), MOST):
                    found.setdefault(name, member)
                    inner.append(member)
            elif isinstance(value, list):
                inner += value[:MOST]
        level = inner
    return found


def lists(observation: Json) -> Iterator[Json]:
    """Yield the lists of an observation."""
    yield from (one for one in members({"": observation}).values() if isinstance(one, list))


def shown(observation: Json) -> Iterator[str]:
    """Yield quoted texts, the numbers from the last one back, the last line, and all there is."""
    text = texts_of(observation)
    yield from (next(part for part in found if part) for found in _QUOTED.findall(text)[:MOST])
    yield from dict.fromkeys(reversed(_NUMBER.findall(text)[-MOST:]))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    yield from (line for line in lines[-1:] if len(line) <= LONGEST)
    if text and len(text) <= LONGEST:
        yield text
