"""Does the reward agree with true success?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrics.gaming import rank_correlation, score_auc, top_scored_failures
from metrics.proportions import proportion
from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.solutions import top_score
from validator.stopping import Interval, Stops
from validator.table import Row, start_of
from validator.truth import SUCCESS, truth_of

WANTED = 0.9
"""Least chance that a true success scores higher than a true failure."""
CHANCE = 0.5
"""The same where the score says nothing."""
FEW = 0.05
"""Share of paid successes that may be none."""
ENOUGH = 3
"""Failures paid as successes, each on a start of its own, before the reward is called wrong."""
NEEDED = (
    "`success_field: state.solved` in the manifest, with the field that says so; or `oracle` and "
    "`canaries: hacks.jsonl`"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Episodes whose true success is known."""

    rows: Sequence[Row]
    truths: Sequence[float]
    source: str

    @property
    def scores(self) -> list[float]:
        return [row.score for row in self.rows if row.score is not None]

    @property
    def succeeded(self) -> list[bool]:
        return [truth >= SUCCESS for truth in self.truths]


class GameabilityGap:
    """RFC 008 #27: rank agreement of score and true success, over episodes of any skill.

    True success is what `success_field` says; without one, declared solutions are successes and
    declared hacks failures. Fails where a true success surely scores higher than a failure in
    less than nine of ten pairs, or where more than one in twenty paid successes is surely none.
    """

    id: ClassVar[str] = "statistical.gameability_gap"
    title: ClassVar[str] = "Does the reward agree with true success?"
    stops: ClassVar[Stops] = Interval()

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
            Need(walks=scale.solutions),
            Need(walks=scale.hacks[: scale.starts]),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        known = _known(evidence)
        if known is None:
            return skipped(self, "nothing says what a true success is", needed=NEEDED)
        auc = score_auc(known.scores, known.succeeded)
        if isinstance(auc, Undefined):
            return skipped(
                self,
                f"{auc.reason} by {known.source}: both are needed to compare",
                needed="a solution in the manifest (`oracle:`), or a more capable probe",
            )
        correlation = rank_correlation(known.scores, known.truths, variant="b")
        measured: Measured = {
            "auc": (auc, "episodes"),
            "rank_correlation": (correlation, "episodes"),
        }
        told = (
            f"a true success scores higher than a failure in {auc.estimate:.0%} of pairs, "
            f"by {known.source}"
        )
        wrong = _paid_failures(evidence, known)
        if wrong or auc.confidence_interval(evidence.level()).high < WANTED:
            shown = wrong or [
                known.rows[at] for at in top_scored_failures(known.scores, known.succeeded)
            ]
            return failed(
                self,
                told + (f"; {len(wrong)} failures are paid as successes" if wrong else ""),
                findings=[_finding(evidence, row, known.source) for row in shown[:3]],
                measured=measured,
            )
        if auc.estimate >= WANTED and auc.confidence_interval(evidence.level()).low > CHANCE:
            return passed(self, told, measured=measured)
        return undecided(self, told, needed="a larger --budget", measured=measured)


def _known(evidence: Evidence) -> _Known | None:
    """Return the scored episodes whose true success is known, None where nothing says it."""
    played = [row for row in evidence.table.rows if row.key.replay == 0 and row.score is not None]
    field = evidence.manifest.envassay.success_field
    if field is not None:
        told = [(row, truth) for row in played if (truth := truth_of(evidence, row)) is not None]
        return _Known(
            rows=[row for row, _ in told],
            truths=[truth for _, truth in told],
            source=f"`{field}`",
        )
    solutions = [row for row in evidence.oracle if row.score is not None]
    hacks = [row for row in played if row.key.walk.startswith("canary/")]
    if not solutions or not hacks:
        return None
    return _Known(
        rows=[*solutions, *hacks],
        truths=[*np.ones(len(solutions)), *np.zeros(len(hacks))],
        source="declared solutions and hacks",
    )


def _paid_failures(evidence: Evidence, known: _Known) -> list[Row]:
    """Return the failures that were paid as successes, where those are surely more than a few."""
    top = top_score(evidence)
    if top is None:
        return []
    paid = [
        (row, won)
        for row, won in zip(known.rows, known.succeeded, strict=True)
        if row.score is not None and row.score >= top
    ]
    wrong = [row for row, won in paid if not won]
    share = proportion(len(wrong), len(paid))
    enough = len({start_of(row.key) for row in wrong}) >= ENOUGH
    if (
        isinstance(share, Undefined)
        or not enough
        or share.confidence_interval(evidence.level(0.9)).low <= FEW
    ):
        return []
    return wrong


def _finding(evidence: Evidence, row: Row, source: str) -> Finding:
    return Finding(
        claim="a failure is paid more than true successes, or as one",
        saw=f"a score of {row.score:g}, and no success by {source}",
        expected="scores that true successes have and failures do not",
        where=f"episode {row.key.path}",
        reproduce=by_hand(evidence, row),
        do="Pay for what makes the success true, or mend the field that says so.",
    )
