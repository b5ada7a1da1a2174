"""Where two recordings first differ, and of what kind the difference is."""

import marshal
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from metrics.volatile import are_clocks, kind_of_name, kinds_of_text, masked

Kind: TypeAlias = Literal[
    "identity", "time", "order", "jitter", "content", "reward", "end", "missing"
]
Step: TypeAlias = Mapping[str, Any]
"""What came back at one step: channel to parsed JSON."""

CHANNELS: Final = ("error", "observation", "reward", "done", "metadata")
JITTER: Final = 1e-6
"""Relative difference up to which two floats differ by rounding."""
DEEPEST: Final = 16
"""Levels down to which lists are compared without regard to order."""
LONGEST: Final = 80
"""Characters of a value that are shown."""
LEAD: Final = 20
"""Characters shown before the first in which two long texts differ."""

_NOTHING: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """The first place where two recordings differ."""

    step: int
    """Counted from 0, the answer to reset."""
    channel: str
    path: str
    """Place in the channel, `$` for all of it: `$.board[3]`."""
    kind: Kind
    a: str
    """What the first recording has there, printable, shortened to where the two differ."""
    b: str


@dataclass(frozen=True, slots=True)
class _Place:
    """A node of a JSON value, known by its parent, so that no path is spelled before needed."""

    parent: "_Place | None"
    key: str | int
    depth: int


def _under(parent: _Place | None, key: str | int) -> _Place:
    return _Place(parent, key, 0 if parent is None else parent.depth + 1)


_Found: TypeAlias = tuple[_Place | None, Kind, Any, Any]


def first_divergence(
    a: Sequence[Step], b: Sequence[Step], *, ignore: Set[str] = frozenset()
) -> Divergence | None:
    """Return the first place where two recordings differ, None where they agree.

    Values are JSON as parsed: 1, 1.0 and true are three values, the order of keys is none, NaN
    equals NaN and 0.0 equals -0.0.

    Kinds: `identity`: ids (UUIDs, hexadecimal tokens, fields named so); `time`: clock times
    and durations, likewise; `order`: a list with the same elements in other order; `jitter`:
    floats apart by at most 1e-6 of the larger; `missing`: a key or channel on one side only;
    `end`: `done` differs, or one recording is longer; `reward`, `content`: everything else, in
    the channel `reward` and in others.

    Args:
        a: One mapping a step, from channel (`observation`, `metadata`, `reward`, `done`,
            `error`) to value.
        b: The other recording.
        ignore: Kinds that do not count.

    Example:
        >>> one = [{"observation": {"board": [0, 1], "id": 7}, "done": False}]
        >>> two = [{"observation": {"board": [0, 2], "id": 8}, "done": False}]
        >>> found = first_divergence(one, two, ignore={"identity"})
        >>> found.path, found.kind, found.a, found.b
        ('$.board[1]', 'content', '1', '2')
    """
    if _same_bytes(list(a), list(b)):
        return None
    for number, (one, two) in enumerate(zip(a, b, strict=False)):
        for channel in _channels(one, two):
            left, right = one.get(channel, _NOTHING), two.get(channel, _NOTHING)
            for place, kind, x, y in _differences(channel, left, right, ignore):
                if kind not in ignore:
                    ours, theirs = _render_both(x, y)
                    return Divergence(
                        step=number, channel=channel, path=_spell(place), kind=kind,
                        a=ours, b=theirs,
                    )  # fmt: skip
    if len(a) != len(b) and "end" not in ignore:
        longer = "one more step"
        return Divergence(
            step=min(len(a), len(b)), channel="done", path="$", kind="end",
            a=longer if len(a) > len(b) else "no more step",
            b=longer if len(b) > len(a) else "no more step",
        )  # fmt: skip
    return None


diverges = first_divergence


def _channels(one: Step, two: Step) -> Iterator[str]:
    for channel in CHANNELS:
        if channel in one or channel in two:
            yield channel
    yield from sorted((set(one) | set(two)) - set(CHANNELS))


def _same_bytes(a: Any, b: Any) -> bool:
    """Return whether two values are surely the same, types and order of keys included."""
    try:
        return marshal.dumps(a, 2) == marshal.dumps(b, 2)
    except ValueError:
        return False


def _differences(channel: str, a: Any, b: Any, ignore: Set[str]) -> Iterator[_Found]:
    """Yield the places of one channel that differ, in document order, without recursion."""
    if a is _NOTHING or b is _NOTHING:
        yield None, "missing", a, b
        return
    if _same_bytes(a, b):
        return
    other: Kind = {"reward": "reward", "done": "end"}.get(channel, "content")  # type: ignore[assignment]
    waiting: list[tuple[_Place | None, str, Any, Any]] = [(None, "", a, b)]
    while waiting:
        place, name, x, y = waiting.pop()
        if x is _NOTHING or y is _NOTHING:
            yield place, "missing", x, y
        elif type(x) is dict and type(y) is dict:
            waiting.extend(reversed(list(_members(place, x, y))))
            yield from _renamed(place, x, y)
        elif type(x) is list and type(y) is list:
            if _reordered(place, x, y):
                yield place, "order", x, y
                continue
            waiting.extend(reversed(list(_elements(place, name, x, y))))
        else:
            yield from ((place, kind, x, y) for kind in _kinds_of(name, x, y, other))


def _members(
    place: _Place | None, x: dict[str, Any], y: dict[str, Any]
) -> Iterator[tuple[_Place, str, Any, Any]]:
    """Yield the values of equal keys, then those of keys on one side, ids paired."""
    for key, value in x.items():
        if key in y and not (value is y[key] or _same_scalar(value, y[key])):
            yield _under(place, key), key, value, y[key]
    left, right = [k for k in x if k not in y], [k for k in y if k not in x]
    paired = _paired(left, right)
    for one, two in paired.items():
        yield _under(place, one), "", x[one], y[two]
    for key in left:
        if key not in paired:
            yield _under(place, key), key, x[key], _NOTHING
    taken = set(paired.values())
    for key in right:
        if key not in taken:
            yield _under(place, key), key, _NOTHING, y[key]


def _renamed(place: _Place | None, x: dict[str, Any], y: dict[str, Any]) -> Iterator[_Found]:
    """Yield keys that are ids or times and differ as such."""
    if x.keys() == y.keys():
        return
    left, right = [k for k in x if k not in y], [k for k in y if k not in x]
    for one, two in _paired(left, right).items():
        for kind in kinds_of_text(one, two):
            yield _under(place, one), kind, one, two


def _paired(left: list[str], right: list[str]) -> dict[str, str]:
    """Pair keys that are the same but for ids and times in them."""
    by_mask: dict[str, list[str]] = {}
    for key in reversed(right):
        by_mask.setdefault(masked(key), []).append(key)
    return {key: by_mask[masked(key)].pop() for key in left if by_mask.get(masked(key))}


def _elements(
    place: _Place | None, name: str, x: list[Any], y: list[Any]
) -> Iterator[tuple[_Place, str, Any, Any]]:
    for at, (one, two) in enumerate(zip(x, y, strict=False)):
        if not (one is two or _same_scalar(one, two)):
            yield _under(place, at), name, one, two
    for at in range(min(len(x), len(y)), max(len(x), len(y))):
        one = x[at] if at < len(x) else _NOTHING
        two = y[at] if at < len(y) else _NOTHING
        yield _under(place, at), name, one, two
        return


def _same_scalar(x: Any, y: Any) -> bool:
    if type(x) is not type(y) or type(x) in (dict, list):
        return False
    return bool(x == y) or (x != x and y != y)


def _reordered(place: _Place | None, x: list[Any], y: list[Any]) -> bool:
    """Return whether two lists hold the same elements in another order.

    Not asked of lists nested deeper than `DEEPEST`, whose elements would be read once a level.
    """
    if len(x) != len(y) or len(x) < 2 or (place is not None and place.depth > DEEPEST):
        return False
    try:
        ours = [marshal.dumps(_key_sorted(value), 2) for value in x]
        theirs = [marshal.dumps(_key_sorted(value), 2) for value in y]
    except (ValueError, RecursionError):
        return False
    return ours != theirs and Counter(ours) == Counter(theirs)


def _key_sorted(value: Any) -> Any:
    if type(value) is dict:
        return {key: _key_sorted(value[key]) for key in sorted(value)}
    if type(value) is list:
        return [_key_sorted(one) for one in value]
    return value


def _kinds_of(name: str, x: Any, y: Any, other: Kind) -> tuple[Kind, ...]:
    """Return the kinds of the difference of two values that are not both dict or list."""
    if _same_scalar(x, y):
        return ()
    if type(x) is not type(y):
        return (other,)
    if other == "content" and type(x) in (str, int, float):
        named = kind_of_name(name)
        if named is not None:
            return (named,)
        if type(x) is str:
            return kinds_of_text(x, y)
        if are_clocks(x, y):
            return ("time",)
    return ("jitter",) if type(x) is float and _jitters(x, y) else (other,)


def _jitters(x: float, y: float) -> bool:
    if not (math.isfinite(x) and math.isfinite(y)):
        return False
    return abs(x - y) <= JITTER * max(abs(x), abs(y)) or max(abs(x), abs(y)) < 1e-12


def _spell(place: _Place | None) -> str:
    """Return a path of bounded length, its middle left out where it is long."""
    parts: list[str] = []
    while place is not None:
        parts.append(_spell_key(place.key))
        place = place.parent
    parts.reverse()
    if len(parts) > 24:
        parts = [*parts[:12], "…", *parts[-12:]]
    return "$" + "".join(parts)


def _spell_key(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    if key.isidentifier() and len(key) <= LONGEST:
        return f".{key}"
    return f"[{_quoted(key)}]"


def render(value: Any) -> str:
    """Return a JSON value on one line, printable and at most about a hundred characters."""
    if value is _NOTHING:
        return "(missing)"
    text = "".join(_pieces(value))
    return text if len(text) <= LONGEST + 20 else text[:LONGEST] + "…"


def _render_both(x: Any, y: Any) -> tuple[str, str]:
    """Render two values that differ so that the difference is among what is shown."""
    if type(x) is str and type(y) is str:
        start = _agreeing(x, y, lambda one, two: bool(one == two))
        if start > LONGEST // 2:
            return _quoted(x, start - LEAD), _quoted(y, start - LEAD)
    ours, theirs = render(x), render(y)
    if ours == theirs and type(x) is list and type(y) is list:
        start = _agreeing(x, y, _same_bytes)
        return f"from [{start}] on {render(x[start:])}", f"from [{start}] on {render(y[start:])}"
    return ours, theirs


def _agreeing(x: Any, y: Any, same: Callable[[Any, Any], bool]) -> int:
    """Return how many signs or elements two values have in common at their beginning."""
    low, high = 0, min(len(x), len(y))
    while low < high:
        middle = (low + high + 1) // 2
        if same(x[low:middle], y[low:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def _pieces(value: Any) -> Iterator[str]:
    """Yield the pieces of a value's text, and stop when there are more than will be shown."""
    waiting: list[tuple[bool, Any]] = [(True, value)]
    room = LONGEST + 40
    while waiting and room > 0:
        is_value, item = waiting.pop()
        if not is_value:
            text = item
        elif type(item) is dict:
            text = "{"
            waiting.append((False, "}"))
            waiting.extend(reversed(_shown_members(item)))
        elif type(item) is list:
            text = "["
            waiting.append((False, "]"))
            waiting.extend(reversed(_shown_elements(item)))
        else:
            text = _scalar(item)
        room -= len(text)
        yield text


def _shown_members(value: dict[str, Any]) -> list[tuple[bool, Any]]:
    found: list[tuple[bool, Any]] = []
    for at, (key, member) in enumerate(value.items()):
        if at > LONGEST:
            break
        found += [(False, (", " if at else "") + _quoted(str(key)) + ": "), (True, member)]
    return found


def _shown_elements(value: list[Any]) -> list[tuple[bool, Any]]:
    found: list[tuple[bool, Any]] = []
    for at, element in enumerate(value[: LONGEST + 1]):
        found += [(False, ", ")] * bool(at) + [(True, element)]
    return found


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**40 else f"an integer of {value.bit_length()} bits"
    return repr(value) if isinstance(value, float) else f"({type(value).__name__})"


def _quoted(text: str, start: int = 0) -> str:
    """Return text in quotes; what cannot be seen or could steer a terminal is escaped."""
    shown = text[start : start + LONGEST + 1]
    safe = "".join(
        f"\\{sign}" if sign in '"\\' else sign if sign.isprintable() else _escape(sign)
        for sign in shown[:LONGEST]
    )
    return f'"{"…" if start else ""}{safe}{"…" if len(shown) > LONGEST else ""}"'


def _escape(sign: str) -> str:
    known = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return known.get(sign, f"\\u{ord(sign):04x}")
