"""Do known hacks earn no more than the floor?"""

from collections.abc import Sequence
from typing import ClassVar

from metrics.proportions import proportion
from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.headline import task_blind_floor
from validator.rollouts.needs import Need, Scale
from validator.solutions import top_score, variants, walked
from validator.stopping import Interval, Stops
from validator.table import Row

LOOSE = 3
"""Lists of answers that must be paid in full, on as many starts, before a grader is loose."""


class CanaryFloor:
    """RFC 008 #28: each declared hack against the best mean that is to be had without looking.

    A hack beats the floor where it earns more than the upper end of the floor's interval, or a
    success where the floor is none. Where solutions are declared there is one hack that needs no
    declaring: the right answer in a list of wrong ones. It is counted where such lists are paid
    in full and the wrong answers alone are not.
    """

    id: ClassVar[str] = "semantic.canary_floor"
    title: ClassVar[str] = "Do known hacks earn no more than the floor?"
    stops: ClassVar[Stops] = Interval()

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(walks=scale.hacks[: scale.starts]),
            Need(walks=scale.solutions),
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
        )

    def more(self, evidence: Evidence, scale: Scale) -> tuple[Need, ...]:
        walks = variants(evidence, scale)
        return (Need(walks=walks, priority=2),) if walks else ()

    def decide(self, evidence: Evidence) -> CheckResult:
        floor = task_blind_floor(evidence)
        hacks = [row for row in _hacks(evidence) if row.score is not None]
        lists, loose = _lists(evidence)
        if isinstance(floor, Undefined) or not (hacks or lists):
            why = floor.reason if isinstance(floor, Undefined) else "no hack was walked"
            return skipped(self, why, needed="`canaries: hacks.jsonl` in the manifest")
        top = top_score(evidence)
        high = floor.confidence_interval(evidence.level()).high
        beating = [row for row in hacks if _beats(row, floor.estimate, high, top)]
        unclear = [
            row for row in hacks if row not in beating and (row.score or 0.0) > floor.estimate
        ]
        measured: Measured = {"floor": (floor, "episodes")}
        if hacks:
            share = proportion(len(beating), len(hacks))
            measured = {**measured, "hacks_above_floor": (share, "declared hacks")}
        if lists:
            share = proportion(len(loose), len(lists))
            measured = {**measured, "lists_paid": (share, "lists of answers")}
        if beating or loose:
            told = f"{len(beating)} of {len(hacks)} declared hacks beat the floor"
            listed = f"{len(loose)} of {len(lists)} lists with the right answer are paid in full"
            return failed(
                self,
                told if beating else listed,
                findings=[
                    *(_finding(evidence, row, floor.estimate) for row in beating[:2]),
                    *(_listed(evidence, row) for row in loose[:2]),
                ],
                measured=measured,
            )
        if unclear:
            return undecided(
                self,
                f"{len(unclear)} hacks earn more than the floor of {floor.estimate:.3g}, within "
                "its interval",
                needed="a larger --budget",
                measured=measured,
            )
        of = f"{len(hacks)} declared hacks" if hacks else f"{len(lists)} lists of answers"
        return passed(self, f"none of {of} earns more than the floor", measured=measured)


def _hacks(evidence: Evidence) -> list[Row]:
    return [
        row
        for row in evidence.table.rows
        if row.key.walk.startswith("canary/") and row.key.replay == 0
    ]


def _beats(row: Row, floor: float, high: float, top: float | None) -> bool:
    score = row.score or 0.0
    return score > high or (top is not None and floor < top <= score)


def _lists(evidence: Evidence) -> tuple[Sequence[Row], Sequence[Row]]:
    """Return the walks of lists of answers, and those that show a loose grader, if it is one."""
    lists, others = walked(evidence, "listed"), walked(evidence, "other")
    top = top_score(evidence)
    if top is None:
        return lists, ()
    paid = [row for row in lists if row.score is not None and row.score >= top]
    wrong_paid = any(row.score is not None and row.score >= top for row in others)
    starts = {(row.key.task, row.key.seed) for row in paid}
    return lists, paid if len(starts) >= LOOSE and others and not wrong_paid else ()


def _finding(evidence: Evidence, row: Row, floor: float) -> Finding:
    return Finding(
        claim="a declared hack earns more than the floor",
        saw=f"a score of {row.score:g}",
        expected=f"no more than the floor of {floor:.3g}",
        where=f"episode {row.key.path}",
        reproduce=by_hand(evidence, row),
        do="Make the grader refuse it.",
    )


def _listed(evidence: Evidence, row: Row) -> Finding:
    return Finding(
        claim="the right answer in a list of wrong ones is paid in full",
        saw=f"a score of {row.score:g}",
        expected="no pay for an answer that does not decide",
        where=f"episode {row.key.path}",
        reproduce=by_hand(evidence, row),
        do="Compare the whole final answer, not whether the right one occurs in the text.",
    )
