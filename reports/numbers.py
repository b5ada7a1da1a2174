"""How an estimate is written, everywhere.

A number never stands without its interval and its n, and an interval is of 95% unless
another level stands behind it. That it rests on the range of the scores seen stands there too.
What could not be measured is written as the reason.
"""

import math
import re
from dataclasses import dataclass

from reports.model import Measure

USUAL_LEVEL = 0.95
SEEN = "range as seen"
"""What a method says whose interval rests on no declared range; it is said beside the interval."""
NOTHING = "–"
"""Stands where there is no number and the reason is given elsewhere."""

_ONE = re.compile(r"^(?!.* or )(\w+)s\b")
"""Ending that a noun has not where there is one of what it counts."""
_SECONDS = "seconds"
_MINUTE = 60.0
_HOUR = 3600.0


def full(measure: Measure, *, counted: bool = False) -> str:
    """Return an estimate with its interval and n, or why there is none.

    Args:
        measure: What was found.
        counted: Also say what n counts.

    Example:
        >>> full(Measure(estimate=0.6204, low=0.48, high=0.741, n=40))
        '0.62 [0.48, 0.74], n = 40'
        >>> full(Measure(estimate=None, undefined="no episode was scored"))
        'undefined: no episode was scored'
    """
    if measure.estimate is None:
        return f"undefined: {measure.undefined or 'no reason given'}"
    size = sample(measure) if counted else _sample(measure)
    return ", ".join(filter(None, (short(measure), size)))


def short(measure: Measure) -> str:
    """Return an estimate with its interval, for a table whose n has a column of its own.

    Example:
        >>> short(Measure(estimate=0.0123, low=0.011, high=0.014, n=9, unit="seconds"))
        '12.3 ms [11.0, 14.0]'
    """
    written = parts(measure)
    return " ".join(filter(None, (written.estimate, written.interval)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """An estimate as written, in parts that may be styled apart but never shown apart."""

    estimate: str
    interval: str
    """Empty where the estimate has no interval, as a count has none."""
    sample: str
    """What was counted, with its n."""
    size: str
    """The n alone, where there is no room for what was counted."""


def parts(measure: Measure) -> Parts:
    """Return what `short` and `sample` say, in parts."""
    counted = {"sample": sample(measure), "size": _sample(measure)}
    if measure.estimate is None:
        return Parts(estimate="undefined", interval="", **counted)
    factor, unit = _scale(measure)
    estimate = measure.estimate * factor
    low = None if measure.low is None else measure.low * factor
    high = None if measure.high is None else measure.high * factor
    after = f" {unit}" if unit else ""
    if low is None and high is None:
        return Parts(estimate=number(estimate) + after, interval="", **counted)
    digits = _digits(estimate, low, high)
    ends = ", ".join(
        open_end if end is None else number(end, digits)
        for end, open_end in ((low, "no lower bound"), (high, "no upper bound"))
    )
    level = "" if measure.level == USUAL_LEVEL else f" ({measure.level:.3g} interval)"
    rests_on = f" ({SEEN})" if SEEN in measure.method else ""
    return Parts(
        estimate=number(estimate, digits) + after,
        interval=f"[{ends}]{level}{rests_on}",
        **counted,
    )


def sample(measure: Measure) -> str:
    """Return what was counted and how many: `n = 40 tasks`; empty for a plain count."""
    size = _sample(measure)
    what = _ONE.sub(r"\1", measure.of) if measure.n == 1 else measure.of
    return f"{size} {what}".rstrip() if size else ""


def number(value: float | None, digits: int | None = None) -> str:
    """Return a bare number: a bound of a range, a mean of steps, a count.

    Example:
        >>> number(1234.0), number(0.25), number(None)
        ('1,234', '0.25', '–')
    """
    if value is None:
        return NOTHING
    places = _digits(value, None, None) if digits is None else digits
    tiny = digits is None and 0 < abs(value) < 10.0 ** -(places + 1)
    if tiny or abs(value) >= 1e9:
        return f"{value:.2g}"
    shown = f"{value:,.{places}f}"
    return shown.lstrip("-") if not float(shown.replace(",", "")) else shown


def exact(value: float, like: Measure) -> str:
    """Return a number as precise as it is meant, in the unit in which a measure is shown.

    Example:
        >>> exact(0.05, Measure(estimate=0.0123, low=0.011, high=0.014, n=9, unit="seconds"))
        '50 ms'
        >>> exact(0.23456, Measure(estimate=0.2))
        '0.23456'
    """
    factor, unit = _scale(like)
    return f"{value * factor:,.6g} {unit}".rstrip()


def seconds(value: float) -> str:
    """Return a duration in the unit that people would use.

    Example:
        >>> seconds(0.0042), seconds(0.42), seconds(12.34), seconds(754.0), seconds(7300.0)
        ('4.2 ms', '420 ms', '12.3 s', '12 min 34 s', '2 h 01 min')
    """
    if value < 1:
        return f"{number(value * 1000, 1 if value < 0.1 else 0)} ms"
    if value < 2 * _MINUTE:
        return f"{value:.1f} s"
    whole = round(value)
    if whole < _HOUR:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def count(amount: int, what: str) -> str:
    """Return a count with its noun in the right number.

    Example:
        >>> count(1, "episodes"), count(1200, "episodes")
        ('1 episode', '1,200 episodes')
    """
    return f"{amount:,} {what.removesuffix('s') if amount == 1 else what}"


def _sample(measure: Measure) -> str:
    return f"n = {measure.n:,}" if measure.n else ""


def _scale(measure: Measure) -> tuple[float, str]:
    """Return the factor and the unit in which all numbers of a measure are shown."""
    if measure.unit != _SECONDS:
        return 1.0, measure.unit
    reach = max(
        abs(value) for value in (measure.estimate, measure.low, measure.high) if value is not None
    )
    return (1000.0, "ms") if reach < 1 else (1.0, "s")


def _digits(estimate: float, low: float | None, high: float | None) -> int:
    """Return the decimals worth showing: one or two significant digits of the interval's width.

    A share has at least two. Where there is no width: three significant digits of the
    estimate, without zeros at the end.
    """
    width = (high - low) if low is not None and high is not None else 0.0
    if low is not None and high is not None and 0 < width < math.inf:
        is_share = max(abs(low), abs(high)) <= 1
        return max(2 if is_share else 0, _within(1 - math.floor(math.log10(3 * width))))
    if estimate == round(estimate):
        return 0
    most = _within(2 - math.floor(math.log10(abs(estimate))))
    return next(n for n in range(most + 1) if round(estimate, n) == round(estimate, most))


def _within(digits: int) -> int:
    return min(6, max(0, digits))
