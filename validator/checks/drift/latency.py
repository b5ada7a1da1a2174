"""Do resets and steps take as long after many episodes as at first?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeGuard

from metrics.latency import Slope, drift, quantile
from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.drills.base import Drill
from validator.drills.repetitions import Repetitions
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.table import Row

FEWEST = 40
"""Repetitions below which nothing is said."""
EARLY = 12
"""Episodes at the beginning of a run that growth is measured from."""
LOW = 0.25
"""Quantile that stands for a time: what else the machine does shows in the higher ones."""
TIMES, MORE_SECONDS = 2.0, 0.002
"""Growth that counts: twice as long, and at least two milliseconds more."""
TIMES_AT_REST = 2.5
"""Growth that counts where it has come to rest, and how much longer than a mere question."""
LEAST_SHARE = 0.15
"""Of the growth within the exercise, what each half of it shows at least: of a steady one that is
half, of one that grows by the square of the number a third and two thirds."""
SURE = 0.95
"""Confidence that no growth which counts is hidden, where none is found."""
LEVEL = 0.999
"""Confidence that the trend is upward."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grown:
    what: str
    slope: Slope
    early: float
    late: float


class Latency:
    """Compares an exercise at the end of the run, alone, with the first episodes of its start.

    Resets are compared with resets of that start, steps with the same actions. Growth is drift
    where an upward trend goes with it: one that goes on all through the exercise, each time less
    the time of a question that plays nothing, or one over all episodes of the run that has come to
    rest since. Where times vary so much that growth would not show, it is not decided, nor where
    they are longer and no trend tells from what.
    """

    id: ClassVar[str] = "drift.latency"
    title: ClassVar[str] = "Do resets and steps take as long after many episodes as at first?"
    drills: ClassVar[tuple[type[Drill], ...]] = (Repetitions,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        record = evidence.drills.get(Repetitions.name)
        facts: Any = record.facts if record else {}
        count = len(facts.get("resets", ()))
        if count < FEWEST:
            why = record.fault if record and record.fault else f"only {count} repetitions"
            return skipped(self, why, needed="an environment that answers faster, or alone")
        rows = sorted((row for row in evidence.table.rows if row.started), key=lambda r: r.offset)
        measured: Measured = {"repetitions": (float(count), "episodes")}
        grown = [found for what in TAKEN if (found := _growth(what, facts, rows)) is not None]
        if not grown and (hidden := _hidden(facts) or _jumped(facts, rows)):
            return skipped(
                self,
                hidden,
                needed="a machine with less else to do",
                measured=measured,
            )
        if not grown:
            return passed(
                self,
                f"{count} repetitions at the end of the run show no growth",
                measured=measured,
            )
        worst = max(grown, key=lambda found: found.late / found.early)
        return failed(
            self,
            f"{' and '.join(found.what for found in grown)} take longer with each episode",
            findings=[_finding(found) for found in grown],
            measured={**measured, "seconds_per_episode": (worst.slope, "episodes")},
        )


def _resets(row: Row) -> float | None:
    return row.reset_seconds


def _steps(row: Row) -> float | None:
    return _low(row.step_seconds)


def _growth(what: str, facts: Any, rows: Sequence[Row]) -> _Grown | None:
    """Return how much a time has grown, None where it has not."""
    seconds, asked = facts[what], facts["asked"]
    beside = _low(asked[-(len(seconds) // 3) :])
    now = drift([spent - other for spent, other in zip(seconds, asked, strict=True)])
    if min(seconds) > 0 and _rises(now) and _goes_on(seconds):  # 0: took no step
        for early, late in (_within(seconds), *_ends(what, facts, rows)):
            if late >= max(TIMES * early, early + MORE_SECONDS):
                return _Grown(what=what, slope=now, early=early, late=late)
    over = drift([spent for row in rows if (spent := TAKEN[what](row)) is not None])
    if beside is None or not _rises(over):
        return None
    for early, late in _ends(what, facts, rows):
        if late >= max(TIMES_AT_REST * max(early, beside), early + MORE_SECONDS):
            return _Grown(what=what, slope=over, early=early, late=late)
    return None


def _within(seconds: Sequence[float]) -> tuple[float, float]:
    """Return a time at the beginning of the exercise and at its end."""
    third = len(seconds) // 3
    return _low(seconds[:third]) or 0.0, _low(seconds[-third:]) or 0.0


def _ends(what: str, facts: Any, rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Return a time at the beginning of the run and what the same takes at its end; often, at best.

    Resets are those of one start, steps the same actions: what others took says nothing of these.
    What varies, or is slowed down now and then, has a small one among the many. Empty where
    nothing can be compared.
    """
    if what == "resets":
        early, late = _first(facts, rows), facts[what][-(len(facts[what]) // 3) :]
    else:
        early, late = facts["then"], facts["again"]
    ends = _low(early), _low(late)
    if ends[0] is None or ends[1] is None:
        return []
    return [(ends[0], ends[1]), (min(early), min(late))]


def _first(facts: Any, rows: Sequence[Row]) -> Sequence[float]:
    """Return the times of the first resets of the exercise's start."""
    same = [row for row in rows if [row.key.task, row.key.seed] == facts["start"]]
    return [row.reset_seconds for row in same[:EARLY] if row.reset_seconds is not None]


def _jumped(facts: Any, rows: Sequence[Row]) -> str:
    """Return what takes longer than at first with no trend that says why; empty where nothing.

    Where a mere question takes about as long, it is the machine.
    """
    for what in TAKEN:
        beside = _low(facts["asked"][-(len(facts[what]) // 3) :])
        inside = [_within(facts[what])] if min(facts[what]) > 0 else []
        for ends in (*inside, *_ends(what, facts, rows)[:1]):
            longer = ends[1] >= max(TIMES * ends[0], ends[0] + MORE_SECONDS)
            if longer and beside is not None and ends[1] >= TIMES_AT_REST * beside:
                early, late = (f"{1000 * seconds:.1f} ms" for seconds in ends)
                return f"{what} take {late} where they took {early}, and no trend tells from what"
    return ""


def _goes_on(seconds: Sequence[float]) -> bool:
    """Say whether each third of a time is above the one before it.

    Growth goes on; what else begins on the machine makes one jump, and in a step that computes
    for long more of it than in a mere question.
    """
    third = len(seconds) // 3
    lows = [_low(seconds[place * third : (place + 1) * third]) or 0.0 for place in range(3)]
    least = LEAST_SHARE * (lows[2] - lows[0])
    return lows[1] - lows[0] >= least and lows[2] - lows[1] >= least


def _hidden(facts: Any) -> str:
    """Return what varies so much that growth which counts could be in it; empty where nothing."""
    for what in ("resets", "steps"):
        seconds = facts[what]
        early = _low(seconds[: len(seconds) // 3])
        trend = drift([spent - other for spent, other in zip(seconds, facts["asked"], strict=True)])
        if early is None or isinstance(trend, Undefined):
            continue
        most = trend.confidence_interval(SURE).high * len(seconds)
        if most >= max((TIMES - 1) * early, MORE_SECONDS):
            return f"{what} vary so much from other work that growth would not show"
    return ""


def _rises(found: Slope | Undefined) -> TypeGuard[Slope]:
    return not isinstance(found, Undefined) and found.confidence_interval(LEVEL).low > 0


def _low(seconds: Sequence[float]) -> float | None:
    found = quantile(seconds, LOW)
    return None if isinstance(found, Undefined) else found.estimate


TAKEN: Mapping[str, Callable[[Row], float | None]] = {
    "resets": lambda row: row.reset_seconds,
    "steps": lambda row: _low(row.step_seconds),
}
"""What is timed, and how long an episode took for it."""


def _finding(found: _Grown) -> Finding:
    return Finding(
        claim=f"{found.what} take longer with each episode",
        saw=f"{1000 * found.late:.1f} ms at the end of the run, {1000 * found.early:.1f} ms at "
        f"its beginning; {1e6 * found.slope.estimate:.0f} µs more with each episode",
        expected="the same time, whatever was played before",
        where="exercise repetitions",
        reproduce="reset and step a few hundred times on one session, and time each",
        do="Let go of an episode when the next one begins: histories, logs and caches without "
        "bound are read or copied again and again.",
    )
