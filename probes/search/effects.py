"""What the number of an action moves, and how far: straight lines through what was seen so far."""

import math
from collections.abc import Iterator
from itertools import islice

from probes.actions.space import identity
from probes.base import Json
from probes.search.cells import Leaves

MOST_KINDS = 40
"""Kinds of action that differ in more than their number."""
MOST_PATHS = 40
MOST_POINTS = 8
MOST_AIMS = 4
"""Actions of one kind that are aimed at one place."""
DIGITS = 9
DEEPEST = 6
NEAR = 1e-6
"""Share of the largest change by which a point may lie off the line."""


class Effects:
    """By how much each number that is seen changed, for each kind of action and each number of it.

    Actions are of one kind where they differ in their only number.
    """

    def __init__(self) -> None:
        self._points: dict[str, dict[str, dict[float, float]]] = {}
        self._actions: dict[str, Json] = {}

    def note(self, action: Json, before: Leaves, after: Leaves) -> None:
        """Take in what was seen before and after an action."""
        number = _number_of(action)
        if number is None:
            return
        kind = identity(_with(action, 0.0))
        if kind not in self._points and len(self._points) >= MOST_KINDS:
            return
        self._actions.setdefault(kind, action)
        paths = self._points.setdefault(kind, {})
        for path, value in after.items():
            was = before.get(path)
            if not _is_number(value) or not _is_number(was) or path.endswith(("{}", "[]")):
                continue
            if path in paths or len(paths) < MOST_PATHS:
                points = paths.setdefault(path, {})
                if len(points) < MOST_POINTS:
                    points[number] = float(value) - float(was)  # type: ignore[arg-type]

    def aims(self, here: Leaves) -> Iterator[Json]:
        """Yield actions that should bring what they move to a number shown that they do not.

        Numbers that stand beside the one that is moved come first.
        """
        for kind, paths in self._points.items():
            moved = dict(_lines(paths))
            still = [
                (path, float(value))  # type: ignore[arg-type]
                for path, value in here.items()
                if path not in moved and _is_number(value) and not path.endswith(("{}", "[]"))
            ]
            found: dict[float, bool] = {}
            for path, (slope, shift) in moved.items():
                value = here.get(path)
                if not _is_number(value):
                    continue
                for other, level in still:
                    away = level - float(value)  # type: ignore[arg-type]
                    number = round((away - shift) / slope, DIGITS)
                    apart = path.rpartition(".")[0] != other.rpartition(".")[0]
                    if abs(away) > NEAR or abs(shift) > NEAR:
                        found[number] = found.get(number, True) and apart
            for number in islice(sorted(found, key=lambda one: found[one]), MOST_AIMS):
                yield _with(self._actions[kind], number)


def _lines(
    paths: dict[str, dict[float, float]],
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield slope and shift of each leaf whose changes lie on a line that is not level."""
    for path, points in paths.items():
        if len(points) < 2:
            continue
        low, high = min(points), max(points)
        slope = (points[high] - points[low]) / (high - low)
        shift = points[low] - slope * low
        room = NEAR * max(1.0, *(abs(change) for change in points.values()))
        off = (abs(slope * number + shift - change) for number, change in points.items())
        if abs(slope) > NEAR and all(one <= room for one in off):
            yield path, (slope, shift)


def _number_of(action: Json) -> float | None:
    """Return the only number of an action, None where it has none or several."""
    found = list(islice(_numbers(action, 0), 2))
    return found[0] if len(found) == 1 and math.isfinite(found[0]) else None


def _numbers(value: Json, depth: int) -> Iterator[float]:
    if depth > DEEPEST:
        return
    if _is_number(value):
        yield float(value)  # type: ignore[arg-type]
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _numbers(member, depth + 1)


def _with(value: Json, number: float) -> Json:
    """Return an action with its number replaced."""
    if _is_number(value):
        return number
    if isinstance(value, dict):
        return {name: _with(member, number) for name, member in value.items()}
    return [_with(one, number) for one in value] if isinstance(value, list) else value


def _is_number(value: Json) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -1e12 < value < 1e12
