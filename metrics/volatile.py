"""What no one promises to repeat: ids and clocks, by their form and the name of their field."""

import re
from typing import Final, Literal, TypeAlias, get_args

Volatile: TypeAlias = Literal["identity", "time"]
VOLATILE: Final[frozenset[str]] = frozenset(get_args(Volatile))
"""Kinds of difference to ignore where only what an environment answers for counts."""
TextKind: TypeAlias = Literal["identity", "time", "content"]

LONGEST_NAME: Final = 80
"""Characters from which a name tells nothing."""

_UUID = r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"
_HEX = r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{8,}"
_IDS = re.compile(rf"(?<![0-9a-z])(?:0x[0-9a-f]{{4,}}|{_UUID}|{_HEX})(?![0-9a-z])", re.IGNORECASE)
_DATE = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?"
_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,]\d+)?"
_SPAN = r"\d+(?:\.\d+)?\s?(?:ms|µs|us|ns)|\d+\.\d+\s?(?:s|secs?|seconds?)"
_TIMES = re.compile(
    rf"(?<![0-9.])(?:(?:{_DATE}|{_CLOCK})(?:\s?Z|\s?[+-]\d\d:?\d\d)?|1\d{{9}}\.\d+|{_SPAN})(?![0-9a-z])",
    re.IGNORECASE,
)
_ID_NAME = re.compile(r"(?:^|_)(?:id|ids|uuid|guid|nonce)$")
_TIME_NAME = re.compile(
    r"(?:^|_)(?:timestamps?|datetime|ts|elapsed|duration|latency|uptime|walltime|wall_time)(?:_|$)"
    r"|(?:^time|_time|_at|_ms|_us|_ns|_seconds|_secs|^seconds)$"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_EPOCH = (1.4e9, 4.2e9)
"""Seconds since 1970 between the years 2014 and 2103."""


def kind_of_name(name: str) -> Volatile | None:
    """Return what a field of this name holds, if that is an id or a time."""
    if not name or len(name) > LONGEST_NAME:
        return None
    plain = _HUMP.sub("_", name).lower().replace("-", "_")
    if _ID_NAME.search(plain):
        return "identity"
    return "time" if _TIME_NAME.search(plain) else None


def kinds_of_text(x: str, y: str) -> tuple[TextKind, ...]:
    """Return what two texts differ in: ids, times, both, or content."""
    timeless = _TIMES.sub("<time>", x), _TIMES.sub("<time>", y)
    if timeless[0] == timeless[1]:
        return ("time",)
    if _IDS.sub("<id>", x) == _IDS.sub("<id>", y):
        return ("identity",)
    if _IDS.sub("<id>", timeless[0]) == _IDS.sub("<id>", timeless[1]):
        return ("time", "identity")
    return ("content",)


def masked(text: str) -> str:
    """Return a text with its ids and times taken out."""
    return _IDS.sub("<id>", _TIMES.sub("<time>", text))


def is_clock(x: float) -> bool:
    """Say whether a number may be a time since 1970, in seconds or parts of them."""
    return any(_EPOCH[0] * unit <= x <= _EPOCH[1] * unit for unit in (1.0, 1e3, 1e6, 1e9))


def are_clocks(x: float, y: float) -> bool:
    """Return whether two numbers are times since 1970, at most a year apart."""
    year = 366 * 86400.0
    for unit in (1.0, 1e3, 1e6, 1e9):
        low, high = _EPOCH[0] * unit, _EPOCH[1] * unit
        if low <= min(x, y) and max(x, y) <= high and abs(x - y) <= year * unit:
            return type(x) is float or unit > 1
    return False
