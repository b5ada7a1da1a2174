"""Corrects many tests or many environments looked at together."""

import numpy as np
from numpy.typing import ArrayLike

from metrics.errors import MalformedInput
from metrics.inputs import Floats, finite_numbers


def holm(p_values: ArrayLike) -> Floats:
    """Return p-values adjusted so that any false alarm at all is rare.

    Rejecting where the adjusted value is at most α, one or more true hypotheses among all are
    rejected with a chance of at most α, however the tests depend on each other.

    Args:
        p_values: Shape `(m,)`.

    Returns:
        Adjusted values, same order.

    Raises:
        MalformedInput: a value outside [0, 1].

    Source:
        Holm 1979, "A simple sequentially rejective multiple test procedure".

    Example:
        >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
        [0.03, 0.06, 0.06]
    """
    found = _checked(p_values)
    order = np.argsort(found, kind="stable")
    steps = found[order] * np.arange(found.size, 0, -1)
    adjusted = np.empty_like(found)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def benjamini_hochberg(p_values: ArrayLike, *, dependent: bool = False) -> Floats:
    """Return p-values adjusted so that few of the alarms are false.

    Rejecting where the adjusted value is at most α, the expected share of true hypotheses among
    those rejected is at most α: for independent or positively dependent tests, and for any
    where `dependent`, at the price of a factor of about ln m.

    Args:
        p_values: Shape `(m,)`.
        dependent: Hold under any dependence (Benjamini and Yekutieli 2001).

    Returns:
        Adjusted values, same order.

    Raises:
        MalformedInput: a value outside [0, 1].

    Source:
        Benjamini and Hochberg 1995, "Controlling the false discovery rate".

    Example:
        >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(3).tolist()
        [0.03, 0.04, 0.04]
    """
    found = _checked(p_values)
    order = np.argsort(found, kind="stable")
    ranks = np.arange(1, found.size + 1)
    price = float(np.sum(1 / ranks)) if dependent else 1.0
    steps = found[order] * found.size / ranks * price
    adjusted = np.empty_like(found)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return adjusted


def _checked(p_values: ArrayLike) -> Floats:
    found = finite_numbers(p_values, "p_values")
    if np.any((found < 0) | (found > 1)):
        raise MalformedInput("p_values: need numbers from 0 to 1")
    return found
