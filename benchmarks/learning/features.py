"""What the learners read: observations and actions as hashed features.

Nothing is told of any world: a number is a feature by its value, or its value where it is a
fraction; a text is its words and pairs of neighbours. An action is its words, and where they occur
in what is seen.
"""

import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from zlib import crc32

Json = dict[str, Any]
ROWS = 4096
"""Places that features are hashed to."""
MOST = 96
"""Features of one observation that are read."""
UNREAD = ("metadata", "options", "arguments")
"""Fields that only say what can be done."""

_WORD = re.compile(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]")


class Read(NamedTuple):
    """Features of an observation: `rows` of weight 1, but for the last, of the weights given."""

    rows: list[int]
    weights: list[float]


@functools.cache
def row_of(feature: str) -> int:
    """Return the place that a feature is hashed to."""
    return crc32(feature.encode()) % ROWS


def read_observation(observation: Mapping[str, Any]) -> Read:
    """Return the features of an observation."""
    rows: list[int] = []
    weights: list[float] = []
    every = itertools.chain(_shared(observation), _features_of("", observation))
    for feature, weight in itertools.islice(every, MOST):
        rows.append(row_of(feature))
        weights.append(weight)
    return Read(rows, weights)


def _features_of(path: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in UNREAD:
                yield from _features_of(f"{path}/{name}", inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _features_of(f"{path}/{place}", inner)
    elif isinstance(value, float):
        yield path, value
    elif isinstance(value, str):
        words = ["^", *words_of(value)]
        for before, word in itertools.pairwise(words):
            yield f"{path} {word}", 1.0
            yield f"{path} {before} {word}", 1.0
    else:
        yield f"{path}={value}", 1.0


def _shared(observation: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield how many words each two texts have in common."""
    texts = {
        name: frozenset(words_of(value))
        for name, value in observation.items()
        if isinstance(value, str) and name not in UNREAD
    }
    for one, other in itertools.combinations(texts, 2):
        yield f"{one} and {other} share {len(texts[one] & texts[other])}", 1.0


@functools.lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[str, ...]:
    """Return words, numbers and signs of a text."""
    return tuple(_WORD.findall(text))


def read_action(action: Mapping[str, str], observation: Mapping[str, Any], free: str) -> list[int]:
    """Return the features of an action.

    Args:
        action: Its fields.
        observation: What is seen as it is chosen from.
        free: The field that takes free text, or nothing.
    """
    fixed = " ".join(f"{name}:{value}" for name, value in action.items() if name != free)
    rows = [row_of(f"do {fixed}")]
    rows += [row_of(f"do {name}:{value}") for name, value in action.items()]
    if not free:
        return rows
    said = action[free]
    rows += [row_of(f"say {word}") for word in words_of(said)]
    rows += [row_of(f"starts {said[:1]}"), row_of(f"letters {len(said)}")]
    for name, value in observation.items():
        if isinstance(value, str) and name not in UNREAD:
            times = words_of(value).count(said) if said.isalnum() else value.count(said)
            rows.append(row_of(f"{fixed} occurs {name} {min(times, 2)}"))
    return rows
