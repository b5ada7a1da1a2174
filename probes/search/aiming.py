"""Where between tried numbers a better one may lie, from what each of them paid."""

from collections.abc import Iterator, Sequence

from probes.base import Json
from probes.search.cells import Leaves, as_float

FLAT = 1e-12
LARGEST = 1e100
"""Size from which a number is left out: products of such could overflow."""
CLOSE = 1e-4
"""Share of the range that was tried within which two numbers count as one."""


def aims(tried: Sequence[tuple[float, float]]) -> Iterator[float]:
    """Yield numbers that may pay more than the best of those tried, the likeliest first.

    The top is looked for where two straight lines meet (pay falls off evenly to both sides), where
    a rising and a falling line of different slopes do, at the vertex of a parabola, and halfway.

    Args:
        tried: Numbers and what each paid, in any order.
    """
    points = sorted((at, paid) for at, paid in dict(tried).items() if _is_sane(at, paid))
    close = CLOSE * (points[-1][0] - points[0][0]) if points else 0.0
    for number in _aims(points):
        if all(abs(number - known) > close for known, _ in points):
            yield number


def _aims(points: Sequence[tuple[float, float]]) -> Iterator[float]:
    best = max(range(len(points)), key=lambda place: points[place][1], default=0)
    beside = [place for place in (best - 1, best + 1) if 0 <= place < len(points)]
    if not beside:
        return
    if len(beside) == 1:  # it may be better still beyond
        yield 2.0 * points[best][0] - points[beside[0]][0]
        yield points[best][0] + 4.0 * (points[best][0] - points[beside[0]][0])
        yield points[best][0] + 0.5 * (points[best][0] - points[beside[0]][0])
    steepest = max(_slopes(points[max(0, best - 2) : best + 3]), default=0.0)
    if steepest > FLAT:
        for place in sorted(beside, key=lambda place: -points[place][1]):
            (low, pays), (high, paid) = sorted((points[best], points[place]))
            met = (low + high) / 2 + (paid - pays) / (2 * steepest)
            if low < met < high:
                yield met
    yield from _crossings(points, best)
    if 0 < best < len(points) - 1:
        yield from _vertex(*points[best - 1 : best + 2])
    other = max(beside, key=lambda place: points[place][1])
    yield (points[best][0] + points[other][0]) / 2


def _slopes(points: Sequence[tuple[float, float]]) -> Iterator[float]:
    for (low, pays), (high, paid) in zip(points, points[1:], strict=False):
        yield abs(paid - pays) / (high - low)


def _crossings(points: Sequence[tuple[float, float]], best: int) -> Iterator[float]:
    """Yield where the lines through two points on either side of a gap meet within it."""
    for left in (best - 1, best):
        if left < 1 or left + 2 >= len(points):
            continue
        (a, pa), (b, pb), (c, pc), (d, pd) = points[left - 1 : left + 3]
        up, down = (pb - pa) / (b - a), (pd - pc) / (d - c)
        if up - down > FLAT:
            met = (pc - pb + up * b - down * c) / (up - down)
            if b < met < c:
                yield met


def _vertex(
    low: tuple[float, float], mid: tuple[float, float], high: tuple[float, float]
) -> Iterator[float]:
    (a, pa), (b, pb), (c, pc) = low, mid, high
    bend = (b - a) * (pb - pc) - (b - c) * (pb - pa)
    if abs(bend) > FLAT:
        found = b - ((b - a) ** 2 * (pb - pc) - (b - c) ** 2 * (pb - pa)) / (2 * bend)
        if a < found < c:
            yield found


def levels(
    tried: Sequence[tuple[float, Leaves]], here: Leaves, *, most: int = 6
) -> Iterator[float]:
    """Yield numbers that should bring something that is seen to a level that is shown.

    What an action moves is taken to follow it in a straight line, and the levels are numbers that
    it does not move: those beside it first.

    Args:
        tried: Numbers and what was seen after each.
        here: What was seen before them.
        most: How many to yield.
    """
    points = sorted((one for one in tried if _is_sane(one[0])), key=lambda one: one[0])
    if len(points) < 2 or points[0][0] == points[-1][0]:
        return
    (low, after), (high, later) = points[0], points[-1]
    moved = [path for path in after if _differ(after.get(path), later.get(path))]
    shown = [
        (path, as_float(value))
        for path, value in here.items()
        if _is_number(value) and not path.endswith(("{}", "[]")) and path not in moved
    ]
    found: list[tuple[int, float]] = []
    for path in moved:
        first, last = as_float(after[path]), as_float(later[path])
        for other, level in shown:
            number = low + (level - first) * (high - low) / (last - first)
            apart = 0 if path.rpartition(".")[0] == other.rpartition(".")[0] else 1
            found.append((apart, number))
    yield from dict.fromkeys(number for _, number in sorted(found)[:most])


def _differ(one: Json, other: Json) -> bool:
    return _is_number(one) and _is_number(other) and one != other


def _is_number(value: Json) -> bool:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return known and _is_sane(as_float(value))


def _is_sane(*numbers: float) -> bool:
    return all(abs(number) < LARGEST for number in numbers)
