"""Ranges of numbers and lengths of lists that a text names.

All patterns are bounded in what they may skip, so that hostile text is read in linear time.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_ABOUT = 80
"""Characters before a range in which the name of what it bounds is looked for."""
MOST_SPANS = 50

_N = r"(-?\d{1,9}(?:\.\d{1,6})?)"
_CLOSED = re.compile(
    rf"\b(?:between|from)\s{{1,3}}{_N}\s{{1,3}}(?:and|to|through)\s{{1,3}}{_N}"
    rf"|(?:\brange|\bin|\bwithin|\binterval)(?:\sof)?[:\s]{{1,3}}\[\s{{0,3}}{_N}\s{{0,3}},"
    rf"\s{{0,3}}{_N}\s{{0,3}}\]"
    rf"|\b(?:in|within|range|from|choose|pick|select|enter|use)\s{{1,3}}\(?{_N}\s?[-–]\s?{_N}\b"
    rf"|\({_N}\s?(?:[-–]|to)\s?{_N}\)"
    rf"|(?<![\d.]){_N}\s?\.\.\.?\s?{_N}",
    re.IGNORECASE,
)
_HALF_OPEN = re.compile(
    rf"\brange\({_N}\s{{0,3}},\s{{0,3}}{_N}\)|\[{_N}\s{{0,3}},\s{{0,3}}{_N}\)", re.IGNORECASE
)
_CHAIN = re.compile(rf"{_N}\s{{0,2}}(<=?)\s{{0,2}}\w{{1,30}}\s{{0,2}}(<=?)\s{{0,2}}{_N}")
_BELOW_SIZE = re.compile(
    r"\brange\((\d{1,9})\)|\bout of (?:bounds|range)[^\n]{1,40}?\bsize\s{0,2}(\d{1,9})",
    re.IGNORECASE,
)
_NOT_A_LENGTH = r"(?![\d.]|\s{0,2}(?:characters?|items?|elements?|values?|letters?|words?)\b)"
_LIMIT = rf"\s{{0,3}}{_N}{_NOT_A_LENGTH}"
_ONE_SIDED = re.compile(
    rf"(?P<least>\b(?:greater than or equal to|at least|no less than)|>=|≥){_LIMIT}"
    rf"|(?P<most>\b(?:less than or equal to|at most|no more than)|<=|≤){_LIMIT}"
    rf"|(?P<above>\b(?:greater than|more than|larger than)){_LIMIT}"
    rf"|(?P<below>\b(?:less than|fewer than|smaller than)){_LIMIT}"
    r"|(?P<positive>\bnon-?negative\b)",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"\b(?:expect(?:s|ed)?|exactly|need(?:s|ed)?|require[sd]?|must have|of)\s{1,3}(\d{1,4})\s{1,3}"
    r"(?:values?|elements?|items?|actions?|numbers?|entries|dimensions?)\b"
    r"|\b(?:expect(?:s|ed)?|must have|must be of|of)\s{1,3}(?:a\s)?(?:length|size|shape)\s{0,3}"
    r"(?:of\s)?\(?(\d{1,4})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Numbers that a text calls legal, both ends included."""

    low: float | None
    high: float | None
    about: frozenset[str] = frozenset()
    """Words before it on its line, in lower case: one of them may name what it bounds."""


def spans(text: str, *, one_sided: bool) -> tuple[Span, ...]:
    """Return the ranges that a text names, in its order.

    Args:
        text: Any text; the caller bounds its length.
        one_sided: Take "at least 3" and "less than 7" as well; in prose that is no error they
            are seldom about actions.
    """
    found = [*_two_sided(text)]
    if one_sided and not found:
        found = [*_from_one_side(text)]
    found.sort(key=lambda one: one[0])
    return tuple(span for _, span in found[:MOST_SPANS] if _is_range(span))


def length_named(text: str) -> int | None:
    """Return the length that a text says a list must have, None where it says none."""
    found = _LENGTH.search(text)
    return None if found is None else int(found[1] or found[2])


def _two_sided(text: str) -> Iterator[tuple[int, Span]]:
    for found in _CLOSED.finditer(text):
        low, high = (float(one) for one in found.groups() if one is not None)
        yield found.start(), _span(text, found, low, high)
    for found in _HALF_OPEN.finditer(text):
        low, high = (float(one) for one in found.groups() if one is not None)
        yield found.start(), _span(text, found, low, high - 1)
    for found in _CHAIN.finditer(text):
        low, high = float(found[1]) + (found[2] == "<"), float(found[4]) - (found[3] == "<")
        yield found.start(), _span(text, found, low, high)
    for found in _BELOW_SIZE.finditer(text):
        yield found.start(), _span(text, found, 0, float(found[1] or found[2]) - 1)


def _from_one_side(text: str) -> Iterator[tuple[int, Span]]:
    for found in _ONE_SIDED.finditer(text):
        kind = next(name for name, words in found.groupdict().items() if words is not None)
        number = next((float(one) for one in found.groups() if one and _is_number(one)), 0.0)
        if kind in ("least", "above", "positive"):
            yield found.start(), _span(text, found, number + (kind == "above"), None)
        else:
            yield found.start(), _span(text, found, None, number - (kind == "below"))


def _is_number(text: str) -> bool:
    return text.lstrip("-")[:1].isdigit()


def _span(text: str, found: re.Match[str], low: float | None, high: float | None) -> Span:
    before = text[max(0, found.start() - LONGEST_ABOUT) : found.end()].rpartition("\n")[2]
    return Span(low=low, high=high, about=frozenset(re.findall(r"[a-z_]\w*", before.lower())))


def _is_range(span: Span) -> bool:
    low, high = span.low, span.high
    return low is None or high is None or (low < high and math.isfinite(high - low))
