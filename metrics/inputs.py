"""Turns what people have (list, array, column of a frame) into checked arrays."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.errors import MalformedInput, ParameterError

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
LARGEST = 1e100


class SeenRange(NamedTuple):
    """The range of the scores that were seen, given as bounds where none is declared.

    An interval that rests on it covers only if no score can lie outside; its method says so.
    """

    low: float
    high: float


def finite_numbers(values: ArrayLike, name: str = "scores") -> Floats:
    """Return values as floats, shape `(n,)`.

    Raises:
        MalformedInput: not one-dimensional, or a value is no finite number (text, None, NaN,
            infinite) or is beyond 1e100. Whoever has absent scores leaves them out first, and
            counts them.
    """
    try:
        found = np.asarray(values)
    except ValueError:
        raise MalformedInput(f"{name}: rows of unequal length, not one number each") from None
    if found.ndim != 1:
        raise MalformedInput(f"{name}: need one dimension, got {found.ndim}")
    if found.size == 0:
        return np.empty(0)
    if found.dtype.kind not in "biuf":
        found = _from_objects(found, name)
    floats = found.astype(np.float64, copy=False)
    bad = ~np.isfinite(floats)
    if bad.any():
        at = int(bad.argmax())
        raise MalformedInput(
            f"{name}[{at}] is {floats[at]}: leave absent values out and count them apart"
        )
    if max(floats.max(), -floats.min()) > LARGEST:
        raise MalformedInput(f"{name}: a value beyond {LARGEST:g}, whose square would overflow")
    return floats


def _from_objects(found: NDArray[Any], name: str) -> NDArray[Any]:
    """Return an object array of numbers as floats; its own types decide, nothing is parsed."""
    for at, value in enumerate(found):
        if not isinstance(value, int | float | np.integer | np.floating | np.bool_):
            raise MalformedInput(f"{name}[{at}] is no number but {type(value).__name__}")
    try:
        return found.astype(np.float64)
    except OverflowError:
        raise MalformedInput(f"{name}: an integer too large for a float") from None


def group_codes(labels: Sequence[Hashable] | ArrayLike, n: int, name: str = "tasks") -> Codes:
    """Return a number from 0 for each label, equal for equal labels, shape `(n,)`.

    Numbers follow the order of first appearance, except for numeric arrays, where they follow
    size. Only which labels are equal matters to a statistic.

    Raises:
        MalformedInput: another length than `n`, a missing label (None, NaN), or one that
            cannot be compared.
    """
    if isinstance(labels, np.ndarray) and labels.ndim != 1:
        raise MalformedInput(f"{name}: need one dimension, got {labels.ndim}")
    try:
        length = len(labels)  # type: ignore[arg-type]
    except TypeError:
        raise MalformedInput(f"{name}: need one label per score") from None
    if length != n:
        raise MalformedInput(f"{name}: {length} labels for {n} scores")
    if n == 0:
        return np.empty(0, dtype=np.intp)
    kind = getattr(getattr(labels, "dtype", None), "kind", "O")
    if kind in "biufM":
        return _codes_of_numbers(np.asarray(labels), name)
    return _codes_of_objects(labels, name)


def _codes_of_numbers(labels: NDArray[Any], name: str) -> Codes:
    if labels.dtype.kind in "fM":
        missing = np.isnat(labels) if labels.dtype.kind == "M" else np.isnan(labels)
        if missing.any():
            raise MalformedInput(f"{name}[{int(missing.argmax())}] is missing")
    if labels.dtype.kind in "iu":
        low, high = int(labels.min()), int(labels.max())
        if high - low <= 4 * labels.size + 1000:
            shifted = (labels - labels.dtype.type(low)).astype(np.intp)
            present = np.zeros(high - low + 1, dtype=np.intp)
            present[shifted] = 1
            return np.asarray((np.cumsum(present) - 1)[shifted], dtype=np.intp)
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.intp)


def _codes_of_objects(labels: Any, name: str) -> Codes:
    if set(map(type, labels)) == {str}:
        known = {label: code for code, label in enumerate(dict.fromkeys(labels))}
        return np.fromiter(map(known.__getitem__, labels), dtype=np.intp, count=len(labels))
    numbers: dict[tuple[type, Hashable], int] = {}
    codes = np.empty(len(labels), dtype=np.intp)
    try:
        for at, label in enumerate(labels):
            if label is None or label != label:
                raise MalformedInput(f"{name}[{at}] is missing")
            codes[at] = numbers.setdefault((type(label), label), len(numbers))
    except (TypeError, ValueError) as fault:
        if isinstance(fault, MalformedInput):
            raise
        raise MalformedInput(f"{name}: labels must be text, numbers or tuples of them") from None
    return codes


def unit_scaled(values: Floats) -> tuple[Floats, float, float]:
    """Return values moved and scaled to [0, 1], with their least and their spread.

    Keeps squares from overflow and underflow. The values must not all be equal.
    """
    low, span = float(values.min()), float(values.max() - values.min())
    return (values - low) / span, low, span


def whole(value: object, name: str, *, least: int = 0) -> int:
    """Return a whole number of at least `least`.

    Raises:
        ParameterError: not an integer (a bool is none), or below `least`.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ParameterError(f"{name}: need a whole number, got {value!r}")
    if value < least:
        raise ParameterError(f"{name}: need at least {least}, got {value}")
    return int(value)


def counts(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Return counts, shape `(n,)`; floats are taken where they are whole.

    Raises:
        MalformedInput: a value is negative or not whole.
    """
    floats = finite_numbers(values, name)
    if np.any(floats < 0) or np.any(floats != np.floor(floats)):
        raise MalformedInput(f"{name}: counts must be whole and not negative")
    if np.any(floats > 2**53):
        raise MalformedInput(f"{name}: counts above 2^53")
    return floats.astype(np.int64)


def table(values: ArrayLike, name: str) -> Floats:
    """Return values as floats in two dimensions.

    Raises:
        MalformedInput: other dimensions, rows of unequal length, or what `finite_numbers` refuses.
    """
    try:
        found = np.asarray(values)
    except ValueError:
        raise MalformedInput(f"{name}: rows of unequal length") from None
    if found.ndim != 2:
        raise MalformedInput(f"{name}: need two dimensions, got {found.ndim}")
    return finite_numbers(found.ravel(), name).reshape(found.shape)


def number(value: object, name: str) -> float:
    """Return a number, infinite ones included.

    Raises:
        ParameterError: it is none, or NaN.
    """
    if not isinstance(value, int | float | np.integer | np.floating) or value != value:
        raise ParameterError(f"{name}: need a number, got {value!r}")
    try:
        return float(value)
    except OverflowError:
        raise ParameterError(f"{name}: an integer too large for a float") from None


def fraction(value: float, name: str = "level") -> float:
    """Return a number strictly between 0 and 1.

    Raises:
        ParameterError: it is not.
    """
    if not isinstance(value, int | float | np.floating) or not 0 < value < 1:
        raise ParameterError(f"{name}: need a number between 0 and 1, got {value!r}")
    return float(value)


def score_bounds(bounds: tuple[float, float] | None) -> tuple[float, float]:
    """Return the range of scores, infinite on both sides where None; a seen one stays one.

    Raises:
        ParameterError: the ends are not two numbers in rising order.
    """
    if bounds is None:
        return -np.inf, np.inf
    try:
        low, high = (float(end) for end in bounds)
    except (TypeError, ValueError):
        raise ParameterError(f"bounds: need two numbers, got {bounds!r}") from None
    if not low < high:
        raise ParameterError(f"bounds: the low end must be below the high one, got {bounds!r}")
    return as_known(bounds, low, high)


def as_known(bounds: tuple[float, float] | None, low: float, high: float) -> tuple[float, float]:
    """Return a range as seen or as declared, as that one is which it follows from."""
    return SeenRange(low, high) if isinstance(bounds, SeenRange) else (low, high)


def range_remark(bounds: tuple[float, float] | None) -> str:
    """Return what a method adds where its interval rests on the range of the scores seen."""
    return ", range as seen" if isinstance(bounds, SeenRange) else ""


def within_bounds(scores: Floats, bounds: tuple[float, float], name: str = "scores") -> None:
    """Check that scores keep the range they are said to have.

    Raises:
        MalformedInput: one lies outside.
    """
    low, high = bounds
    outside = (scores < low) | (scores > high)
    if outside.any():
        at = int(outside.argmax())
        raise MalformedInput(f"{name}[{at}] is {scores[at]:g}, outside bounds [{low:g}, {high:g}]")
