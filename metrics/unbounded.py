"""Intervals for the mean of scores whose range is not known."""

import math

import numpy as np
from scipy.special import stdtrit

from metrics.inputs import Floats, unit_scaled
from metrics.results import Interval

FEWEST = 8
"""Units below which no interval is given."""
MANY = 128
MOST_SKEWED = 4.0
"""Sample skewness above which no interval is given to fewer than `MANY` units; twice that,
none at all."""


def refusal(values: Floats) -> str | None:
    """Return why the data give no interval, None where they do."""
    if values.size < FEWEST:
        return f"{values.size} values, {FEWEST} are needed where the range is not known"
    if values.min() == values.max():
        return f"all {values.size} values are equal and the range is not known"
    skewness = sample_skewness(values)
    if abs(skewness) > MOST_SKEWED * (1 if values.size < MANY else 2):
        return f"skewness {skewness:.1f} is too large where the range is not known"
    return None


def skewed_interval(values: Floats, level: float) -> Interval:
    """Return the two-sided interval for a mean: Student's, widened by Hall's.

    From the lower of the low ends to the higher of the high ends of the Student t interval and
    of the one that Hall's transformation corrects for skewness.

    Args:
        values: Shape `(n,)`.
        level: Between 0 and 1.

    Returns:
        The interval, infinite on both sides where `refusal` has a reason.

    Assumptions:
        No interval for a mean can hold for every distribution without a known range (Bahadur
        and Savage 1956). This one is for independent values of one peak and skewness up to 2.8,
        from 8 of them on; with separate lumps of 15 % or more of the values, from 32 on; and
        with skewness up to 6, from 128 on. Rare large scores that the sample does not hold are
        not covered: give the range of the score where it has one.

    Source:
        Hall 1992, "On the removal of skewness by transformation", J. R. Statist. Soc. B 54.
    """
    if refusal(values) is not None:
        return Interval(-math.inf, math.inf)
    n = values.size
    scaled, least, span = unit_scaled(values)
    mean = least + span * float(scaled.mean())
    error = span * float(scaled.std(ddof=1)) / math.sqrt(n)
    t = float(stdtrit(n - 1, 0.5 + level / 2))
    skewness = sample_skewness(values)
    low = max(t, _hall(t, skewness, n))
    high = min(-t, _hall(-t, skewness, n))
    return Interval(mean - low * error, mean - high * error)


def sample_skewness(values: Floats) -> float:
    """Return the adjusted Fisher-Pearson skewness of three or more values that differ."""
    n, scaled = values.size, unit_scaled(values)[0]
    standard = (scaled - scaled.mean()) / scaled.std(ddof=1)
    return float(np.sum(standard**3)) * n / ((n - 1) * (n - 2))


def _hall(t: float, skewness: float, n: int) -> float:
    """Return where Hall's monotone cubic of a studentised mean takes the value t."""
    root = math.sqrt(n)
    y = t - skewness / (6 * root)
    if abs(skewness) < 1e-6:
        return y
    return 3 * root / skewness * float(np.cbrt(1 + skewness * y / root) - 1)
