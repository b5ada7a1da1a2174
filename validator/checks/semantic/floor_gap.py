"""Does doing the task pay more than not looking at it?"""

from typing import ClassVar

from metrics.proportions import proportion
from metrics.results import Undefined
from reports.model import Finding
from validator.beginnings import settled
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.headline import ceiling, task_blind_floor
from validator.rollouts.needs import Need, Scale
from validator.stopping import Interval, Stops
from validator.table import Row, scores_of, start_of

MARGIN = 0.1
"""Least gap, as a share of the range of scores, where no `floor_margin` is declared."""

ENOUGH_EPISODES = 30
ENOUGH_PROBES = 2

ALPHA = 0.05
"""Chance of taking few such starts for most, over all null probes."""

MOST_STARTS = 2 / 3
"""Share of starts on which one probe that does nothing must surely be paid as well as the top."""


class FloorGap:
    """RFC 008 #29: the top of the scores against the best that null and blind probes earn.

    Decided by the interval of the floor: wholly clear of the margin passes, wholly inside it
    fails, across it is not decided. It fails, too, where every one of at least 30 episodes of at
    least two such probes scored within the margin of a declared top, or every one of a single
    null probe on so many starts that it must be so on most: so few starts make the interval wide,
    and there is nothing to be seen but the fault.

    The top is the declared one, else the best score seen, below which it cannot lie: such a top
    is enough to pass, and not to fail for sure.
    """

    id: ClassVar[str] = "semantic.floor_gap"
    title: ClassVar[str] = "Does doing the task pay more than not looking at it?"
    stops: ClassVar[Stops] = Interval()

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        floor, top = task_blind_floor(evidence), ceiling(evidence)
        if isinstance(floor, Undefined) or top.estimate is None:
            why = floor.reason if isinstance(floor, Undefined) else str(top.undefined)
            return skipped(self, why, needed="an environment that scores episodes")
        measured: Measured = {"floor": (floor, "episodes"), "ceiling": (top.estimate, "episodes")}
        declared = evidence.score_range
        low, high = declared or _seen(evidence)
        if low == high:
            return skipped(
                self,
                f"every score seen is {high:g}, and nothing declares what a good one is",
                needed="`score_range` in the manifest, or a more capable probe",
                measured=measured,
            )
        wanted = evidence.manifest.floor_margin
        margin = MARGIN * (high - low) if wanted is None else wanted
        interval = floor.confidence_interval(evidence.level())
        told = (
            f"the floor is {floor.estimate:.3g} [{interval.low:.3g}, {interval.high:.3g}], "
            f"the top {top.estimate:.3g}{'' if declared else ' as seen'}"
        )
        if _all_at_the_top(evidence, top.estimate - margin) or _paid_for_nothing(
            evidence, top.estimate - margin
        ):
            return self._failed(evidence, told, margin, measured)
        if top.estimate - interval.high >= margin:
            return passed(self, told, measured=measured)
        if top.estimate - interval.low >= margin:
            return undecided(
                self,
                f"{told}: the gap may be smaller than {margin:.3g} or not",
                needed="a larger --budget",
                measured=measured,
            )
        return self._failed(evidence, told, margin, measured)

    def _failed(
        self, evidence: Evidence, told: str, margin: float, measured: Measured
    ) -> CheckResult:
        return failed(
            self,
            f"{told}: nothing to gain by doing the task",
            findings=[self._finding(evidence, told, margin)],
            measured=measured,
            question=evidence.score_range is None,
        )

    def _finding(self, evidence: Evidence, told: str, margin: float) -> Finding:
        best = max(_blind(evidence), key=lambda row: row.score or 0.0)
        return Finding(
            claim="agents that do not look at the task earn what there is to earn",
            saw=told,
            expected=f"a gap of at least {margin:.3g}",
            where=f"episodes of {', '.join(evidence.probes('null', 'blind'))}; "
            f"for one {best.key.path}, which scored {best.score:g}",
            reproduce=by_hand(evidence, best),
            do="Pay for the task being done, not for taking part; or declare `score_range` "
            "where more can be earned.",
        )


def _blind(evidence: Evidence) -> list[Row]:
    return evidence.scored(evidence.probes("null", "blind"))


def _all_at_the_top(evidence: Evidence, least: float) -> bool:
    """Say whether nothing that did not look ever scored less than the top, margin aside."""
    rows = _blind(evidence)
    return (
        evidence.score_range is not None
        and len(rows) >= ENOUGH_EPISODES
        and len({row.key.probe for row in rows}) >= ENOUGH_PROBES
        and all(row.score is not None and row.score > least for row in rows)
    )


def _paid_for_nothing(evidence: Evidence, least: float) -> bool:
    """Say whether one null probe scored nearly the top on every start, and so would on most."""
    if evidence.score_range is None:
        return False
    names = evidence.probes("null")
    level = evidence.level(1 - 2 * ALPHA / max(1, len(names)))
    return any(_surely_on_most(evidence.scored([name]), least, level) for name in names)


def _surely_on_most(rows: list[Row], least: float, level: float) -> bool:
    starts = len({start_of(row.key) for row in rows})
    share = proportion(starts, starts)
    return (
        not isinstance(share, Undefined)
        and all(row.score is not None and row.score > least for row in rows)
        and share.confidence_interval(level).low > MOST_STARTS
    )


def _seen(evidence: Evidence) -> tuple[float, float]:
    scores = scores_of(settled(evidence.table.originals()))
    return float(scores.min()), float(scores.max())
