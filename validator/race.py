"""Which of many targets are the best few, and of which more must be played to know.

A ranking goes by verdict, then by what is known of the value, then by the value. The verdict is
taken as the last round of a target says; the race is about the value, among equal verdicts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from metrics.ranking import select_best
from metrics.results import Estimate, Interval, Undefined
from metrics.sequential import level_at_looks
from probes.base import Rung
from reports.model import Report
from reports.standing import ORDER, VALUE
from validator.evidence import Evidence
from validator.headline import signal
from validator.manifest import Manifest
from validator.rollouts.budget import PRESETS, Budget, read_budget
from validator.rollouts.course import Rollouts
from validator.table import EpisodeTable
from validator.targets.base import About
from validator.value import value_of_training

LEVEL = 0.95
RUNGS: Mapping[str, Rung] = {name: name for name in get_args(Rung)}
TOLERANCE = 0.1
"""Difference of values that does not matter, unless the user says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A target as its last round left it."""

    place: tuple[int, int]
    """Verdict, then whether training value, signal or neither is known: the least comes first."""
    value: Estimate | None
    """What it is ranked by; None where nothing is known."""
    looks: int
    """Looks at which its run could stop."""

    def confidence_interval(self, level: float = LEVEL) -> Interval:
        """Return its interval, such that those of all looks of its run hold at `level`."""
        assert self.value is not None
        return self.value.confidence_interval(level_at_looks(level, self.looks))

    @property
    def estimate(self) -> float:
        assert self.value is not None
        return self.value.estimate

    @property
    def n(self) -> int:
        return 0 if self.value is None else self.value.n

    @property
    def method(self) -> str:
        return "" if self.value is None else self.value.method


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """Where a race stands."""

    chosen: tuple[str, ...]
    """The best, in order."""
    undecided: frozenset[str]


def rounds_of(budget: Budget) -> list[Budget]:
    """Return the budgets of the rounds: `quick`, `standard`, twice as much each time, the ceiling.

    Twice as much costs at most as much again as the last round alone where nothing is settled, and
    little where much is.
    """
    quick, standard, *_ = PRESETS.values()
    found = [one for one in (quick, standard) if one.episodes < budget.episodes]
    more = 2 * standard.episodes
    while more < budget.episodes:
        found.append(read_budget(str(more)))
        more *= 2
    return [*found, budget]


def contender(report: Report, episodes: Path, manifest: Manifest) -> Contender:
    """Return a target by its report and the episodes of that run."""
    rungs = {rung.probe: RUNGS[rung.rung] for rung in report.ladder}
    order = [name for name in report.settings.probes if name in rungs]
    evidence = Evidence(
        about=About(url=report.target.url, driver="", name=report.target.name),
        manifest=manifest,
        table=EpisodeTable.of(episodes),
        rollouts=Rollouts(planned=report.ledger.planned),
        rungs={name: rungs[name] for name in dict.fromkeys([*order, *rungs])},
        group_size=report.settings.group_size,
        seed=report.settings.seed,
    )
    measured = report.headline.get(VALUE)
    known = measured is not None and measured.estimate is not None
    found = value_of_training(evidence) if known else signal(evidence)
    value = None if isinstance(found, Undefined) else found
    return Contender(
        place=(ORDER[report.verdict.status], 2 if value is None else 0 if known else 1),
        value=value,
        looks=report.spending.looks if report.spending else 1,
    )


def settle(
    contenders: Mapping[str, Contender], top: int, *, rounds: int, tolerance: float
) -> Settling:
    """Return the best few and those that may still change it.

    The error of 5 % is shared out among all targets and all rounds, so that the intervals of all
    of them hold at once and one may stop after any.

    Args:
        contenders: Targets by name, as their last rounds left them.
        top: How many are wanted.
        rounds: Of the race, fixed beforehand.
        tolerance: Difference of values that does not matter.
    """
    chosen: list[str] = []
    undecided: set[str] = set()
    for place in sorted({one.place for one in contenders.values()}):
        if (room := top - len(chosen)) <= 0:
            break
        equal = {name: one for name, one in contenders.items() if one.place == place}
        if len(equal) > room and any(one.value is None for one in equal.values()):
            chosen += sorted(equal)[:room]
            undecided |= set(equal)
            continue
        if any(one.value is None for one in equal.values()):
            chosen += sorted(equal)
            continue
        error = (1 - level_at_looks(LEVEL, rounds)) * len(equal) / len(contenders)
        found = select_best(equal, room, tolerance=tolerance, level=1 - error)
        chosen += found.chosen
        undecided |= found.undecided
    return Settling(chosen=tuple(chosen), undecided=frozenset(undecided))
