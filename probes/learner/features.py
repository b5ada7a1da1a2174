"""What a learner makes of an observation and of an action: a few numbers of features."""

import math
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from probes.base import Json
from probes.search.cells import Leaves, as_float

ROWS = 2**13
"""Features of a state."""
COLUMNS = 2**9
"""Features of an action."""
RELATIONS = 2**12
"""Features of a state and an action together."""
AGAIN, AGAIN_HERE = RELATIONS, RELATIONS + 1
"""Relations of an action that was taken before in the episode, and in the same place."""
MOST_WORDS = 80
MOST_NUMBERS = 8
"""Numbers of an observation that are compared with one another."""
MOST_EQUAL = 6
_WORD = re.compile(r"[A-Za-z]{2,30}|\d{1,9}")

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class State:
    """An observation, read."""

    rows: Indices
    texts: tuple[tuple[str, str], ...]
    """Path and lower-case text of each longer text."""
    equals: dict[str, list[str]]
    """Paths by value."""
    numbers: tuple[tuple[str, float], ...]
    ranks: dict[str, dict[int, int]]
    """Rank of each element by place, greatest 0, for each list of numbers."""
    relations: dict[str, Indices] = field(default_factory=dict)
    """What was found for each action, by its mark."""


def read_state(leaves: Leaves) -> State:
    """Return the features of an observation."""
    numbers = [
        (_general(path), as_float(value), path)
        for path, value in leaves.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and path[-2:] != "{}"
    ]
    texts = tuple(
        (_general(path), value.lower())
        for path, value in leaves.items()
        if isinstance(value, str) and len(value) > 3
    )
    equals: dict[str, list[str]] = {}
    for path, value in leaves.items():
        if not path.endswith(("{}", "[]")):
            equals.setdefault(_spelled(value), []).append(_general(path))
    compared = [(path, value) for _, value, path in numbers if not path.endswith("[]")]
    rows = {_hash(token) % ROWS for token in _tokens(leaves, compared[:MOST_NUMBERS])}
    return State(
        rows=np.array(sorted(rows), dtype=np.int64),
        texts=texts[:MOST_NUMBERS],
        equals=equals,
        numbers=tuple((_general(path), value) for path, value in compared[:MOST_NUMBERS]),
        ranks=_ranks(compared),
    )


def _tokens(leaves: Leaves, numbers: Sequence[tuple[str, float]]) -> Iterator[str]:
    yield "always"
    words = 0
    for path, value in leaves.items():
        if isinstance(value, str) and len(value) > 12:
            for word in _WORD.findall(value.lower())[: MOST_WORDS - words]:
                words += 1
                yield f"{_general(path)} has {word}"
        elif isinstance(value, float) and not isinstance(value, bool):
            yield f"{path} about {_bucket(value)}"
        else:
            yield f"{path} is {_spelled(value)}"
    for place, (path, value) in enumerate(numbers):
        yield f"{path} sign {_sign(value)}"
        for other, second in numbers[:place]:
            yield f"{path} over {other}: {_sign(value - second)}"


def _ranks(numbers: Sequence[tuple[str, float]]) -> dict[str, dict[int, int]]:
    """Return, for each list of numbers or of objects with a number, how its elements rank."""
    lists: dict[str, list[tuple[int, float]]] = {}
    for path, value in numbers:
        for found in re.finditer(r"\.(\d+)(?=\.|$)", path):
            name = f"{path[: found.start()]}.#{path[found.end() :]}"
            lists.setdefault(name, []).append((int(found[1]), value))
    ranks: dict[str, dict[int, int]] = {}
    for name, members in lists.items():
        ordered = sorted(members, key=lambda one: (-one[1], one[0]))
        ranks[name] = {place: rank for rank, (place, _) in enumerate(ordered)}
    return ranks


def columns_of(mark: str, action: Leaves) -> Indices:
    """Return the features of an action: the whole, and its parts where it has several."""
    parts = [f"{path}={_spelled(value)}" for path, value in action.items() if path[-2:] != "{}"]
    told = [mark, *(parts if len(parts) > 1 else ())]
    return np.array([_hash(one) % COLUMNS for one in told[:12]], dtype=np.int64)


def relations_of(state: State, mark: str, action: Leaves) -> Indices:
    """Return how an action stands to what is seen: equal to, named in, above, ranked."""
    known = state.relations.get(mark)
    if known is None:
        told = {_hash(token) % RELATIONS for token in _relations(state, action)}
        known = state.relations[mark] = np.array(sorted(told), dtype=np.int64)
    return known


def _relations(state: State, action: Leaves) -> Iterator[str]:
    for path, value in action.items():
        if path.endswith(("{}", "[]")):
            continue
        spelled = _spelled(value)
        for where in state.equals.get(spelled, ())[:MOST_EQUAL]:
            yield f"{path} equals {where}"
        if isinstance(value, str) and len(value) > 1:
            for where, text in state.texts:
                if value.lower() in text:
                    yield f"{path} in {where}"
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield from _beside_numbers(state, path, as_float(value))


def _beside_numbers(state: State, path: str, value: float) -> Iterator[str]:
    for where, number in state.numbers:
        yield f"{path} over {where}: {_sign(value - number)}"
    if not value.is_integer():
        return
    for name, ranks in state.ranks.items():
        if int(value) in ranks:
            rank = ranks[int(value)]
            yield f"{path} ranks {rank} in {name}"
            yield f"{path} ranks {rank - len(ranks)} from below in {name}"


def _general(path: str) -> str:
    """Return a path without the places of elements."""
    return re.sub(r"\.\d+(?=\.|$)", ".#", path)


def _spelled(value: Json) -> str:
    return value[:200].lower() if isinstance(value, str) else repr(value)[:60]


def _sign(number: float) -> int:
    return int(number > 1e-9) - int(number < -1e-9)


def _bucket(number: float) -> str:
    if not math.isfinite(number) or abs(number) < 1e-9:
        return "0"
    return f"{_sign(number)}e{math.floor(2 * math.log10(abs(number)))}"


def _hash(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))
