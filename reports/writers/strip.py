"""Draws an interval on a line of characters, for where there are no pictures."""

from dataclasses import dataclass

from reports.model import Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What a strip is drawn with."""

    empty: str
    inside: str
    left: str
    right: str
    point: str


HALF, HALF_SHARE = 0.5, 1e-9
"""How far a scale reaches to both sides of a single number: so much, or that share of a large one,
to which a half is as nothing in floating point."""
DRAWN = Signs(empty="·", inside="─", left="├", right="┤", point="●")
TYPED = Signs(empty=".", inside="-", left="[", right="]", point="o")
"""For terminals that know ASCII only."""


def scale(measures: list[Measure]) -> tuple[float, float] | None:
    """Return the ends of a scale that holds all of the measures, None where nothing is known.

    A share or a score in [0, 1] is always drawn on the whole of [0, 1].
    """
    ends = [
        end
        for measure in measures
        for end in (measure.estimate, measure.low, measure.high)
        if end is not None
    ]
    if not ends:
        return None
    low, high = min(ends), max(ends)
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    half = max(HALF, HALF_SHARE * abs(low))
    return (low, high) if high > low else (low - half, high + half)


def along(value: float, ends: tuple[float, float]) -> float:
    """Return how far along a scale a value lies, in [0, 1]; what is beyond stands at the end.

    Example:
        >>> along(5.0, (0.0, 20.0)), along(-3.0, (0.0, 20.0))
        (0.25, 0.0)
    """
    return min(1.0, max(0.0, (value - ends[0]) / (ends[1] - ends[0])))


def strip(measure: Measure, ends: tuple[float, float], width: int, signs: Signs = DRAWN) -> str:
    """Return a strip of `width` characters with the interval and the estimate on it.

    Example:
        >>> strip(Measure(estimate=0.5, low=0.2, high=0.7), (0.0, 1.0), 11)
        '··├──●─┤···'
    """
    if measure.estimate is None:
        return " " * width
    cells = [signs.empty] * width

    def place(value: float) -> int:
        return round(along(value, ends) * (width - 1))

    if measure.low is not None and measure.high is not None:
        first, last = place(measure.low), place(measure.high)
        cells[first : last + 1] = [signs.inside] * (last + 1 - first)
        cells[first], cells[last] = signs.left, signs.right
    cells[place(measure.estimate)] = signs.point
    return "".join(cells)
