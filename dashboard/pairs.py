"""What two runs say of the same tasks: pairs for the statistics, no arithmetic here."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrics import SeenRange, Undefined, paired_difference
from reports.model import CheckResult, Measure, Report

LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One probe in both runs."""

    probe: str
    one: Measure
    other: Measure
    difference: Measure
    """The other less the one, over the tasks or starts that both runs played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """One check in both runs; None where a run has it not."""

    id: str
    one: CheckResult | None
    other: CheckResult | None

    @property
    def same(self) -> bool:
        if self.one is None or self.other is None:
            return False
        return (self.one.status, self.one.question) == (self.other.status, self.other.question)


def same_environment(one: Report, other: Report) -> bool:
    """Return whether two runs were of one environment, so that a start is the same in both."""
    return one.target.name == other.target.name


def unscored(one: Report, other: Report) -> list[str]:
    """Return the probes of both runs that earned no score in either."""
    silent = [
        {rung.probe for rung in report.ladder if rung.mean_score.estimate is None}
        for report in (one, other)
    ]
    return sorted(silent[0] & silent[1])


def pairs(one: Report, other: Report) -> Iterator[Pair]:
    """Yield every probe of the same version that was scored, in the order of the first run.

    Differences are paired by start; those of two environments have no start in common, whatever
    it is called.
    """
    silent = unscored(one, other)
    beside = {rung.probe: rung for rung in other.ladder}
    for rung in one.ladder:
        found = beside.get(rung.probe)
        if found is not None and found.version == rung.version and rung.probe not in silent:
            yield Pair(
                probe=rung.probe,
                one=rung.mean_score,
                other=found.mean_score,
                difference=_difference(one, other, rung.probe),
            )


def answers(one: Report, other: Report) -> list[Answers]:
    """Return every check of either run, those that changed first."""
    first, second = ({result.id: result for result in report.results} for report in (one, other))
    found = [
        Answers(id=check, one=first.get(check), other=second.get(check))
        for check in dict.fromkeys([*first, *second])
    ]
    return sorted(found, key=lambda answer: answer.same)


def _difference(one: Report, other: Report, probe: str) -> Measure:
    if not same_environment(one, other):
        return Measure(estimate=None, of="pairs", undefined="two environments share no start")
    first, second = (_means(report, probe) for report in (one, other))
    both = [task for task in first if task in second]
    seen = [*(first[task] for task in both), *(second[task] for task in both)]
    found = paired_difference(
        [second[task] for task in both],
        [first[task] for task in both],
        bounds=_bounds(one, seen),
    )
    if isinstance(found, Undefined):
        return Measure(estimate=None, of="pairs", undefined=found.reason)
    low, high = (end if math.isfinite(end) else None for end in found.confidence_interval(LEVEL))
    return Measure(
        estimate=float(found.estimate), low=low, high=high, n=found.n, of="tasks or starts in both",
        method=found.method,
    )  # fmt: skip


def _bounds(report: Report, seen: Sequence[float]) -> tuple[float, float] | None:
    """Return the bounds that an interval may rest on: the declared ceiling, as the report has it.

    Where none is declared the range of the scores seen stands in, and the method says so.
    """
    ceiling = report.headline.get("ceiling")
    if ceiling is not None and ceiling.method == "declared" and ceiling.estimate is not None:
        low, high = min([0.0, *seen]), max([ceiling.estimate, *seen])
    else:
        low, high = min(seen, default=0.0), max(seen, default=0.0)
    return SeenRange(low, high) if low < high else None


def _means(report: Report, probe: str) -> dict[str, float]:
    return {
        row.task: row.mean_score.estimate
        for row in report.tasks
        if row.probe == probe and row.mean_score.estimate is not None
    }
