"""Is every reward a finite number in its declared range?"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.scoring import at_least, at_most
from validator.stopping import Fault, Stops
from validator.table import Row

PAID_ANYHOW = 0.2
"""Share of steps before the end that pay a number, below which only the end seems to pay."""


class RewardWellFormed:
    """RFC 008 #23, on raw frames: a boolean, a text, a NaN or a missing key is no reward.

    A null before the end is what a terminal-only reward looks like, and what a NaN looks like:
    it is fine where the author says `reward_timing: terminal`, and a question where no step
    before the end pays at all.
    """

    id: ClassVar[str] = "runtime.reward_well_formed"
    title: ClassVar[str] = "Is every reward a finite number in its declared range?"
    stops: ClassVar[Stops] = Fault(rate=0.05)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        rows = [row for row in evidence.table.rows if row.answered]
        total = sum(row.answered for row in rows)
        if not total:
            return skipped(self, "no step was answered", needed="an environment that steps")
        broken = [
            *_wrong_kinds(rows),
            *_out_of_range(rows, evidence),
            *_scores_out_of_range(rows, evidence),
        ]
        if broken:
            return self._failed(evidence, broken, total)
        nulls = [(row, step) for row in rows for step in row.steps_of("null")]
        last = [(row, step) for row, step in nulls if step == row.steps - 1 and row.ended == "done"]
        early = [(row, step) for row, step in nulls if (row, step) not in set(last)]
        return self._nulls(evidence, rows, early, last, total)

    def _nulls(
        self,
        evidence: Evidence,
        rows: Sequence[Row],
        early: list[tuple[Row, int]],
        last: list[tuple[Row, int]],
        total: int,
    ) -> CheckResult:
        terminal = evidence.manifest.envassay.reward_timing == "terminal"
        if last:
            return self._failed(
                evidence,
                [(row, step, "null at the end of an episode") for row, step in last],
                total,
            )
        if early and not terminal:
            before_end = sum(row.answered - (row.ended == "done") for row in rows)
            question = len(early) > (1 - PAID_ANYHOW) * before_end
            return self._failed(
                evidence,
                [(row, step, "null before the end") for row, step in early],
                total,
                question=question,
            )
        return passed(
            self,
            f"{total} rewards are finite numbers" + (" or null before the end" if early else ""),
            measured=_measured(0, total),
        )

    def _failed(
        self,
        evidence: Evidence,
        broken: Sequence[tuple[Row, int, str]],
        total: int,
        *,
        question: bool = False,
    ) -> CheckResult:
        shown: dict[str, tuple[Row, int, str]] = {}
        for row, step, saw in broken:
            shown.setdefault(saw, (row, step, saw))
        findings = [
            Finding(
                claim="a reward is null where nothing says that only the end pays"
                if question
                else "a reward is not what a trainer can use",
                saw=saw,
                expected=_expected(evidence),
                where=f"episode {row.key.path}, step {step + 1}, $.data.reward",
                reproduce=by_hand(evidence, row, steps=step + 1),
                do="Declare `reward_timing: terminal` if only the last step pays; a NaN also "
                "arrives as null."
                if question
                else "Pay a finite number at every step, 0 where nothing was earned.",
            )
            for row, step, saw in list(shown.values())[:3]
        ]
        return failed(
            self,
            f"{len(broken)} of {total} rewards: {findings[0].saw}",
            findings=findings,
            measured=_measured(len(broken), total),
            question=question,
        )


def _measured(broken: int, total: int) -> Measured:
    return {"malformed_share": (proportion(broken, total), "steps")}


def _expected(evidence: Evidence) -> str:
    declared = evidence.manifest.reward_range
    if declared is None:
        return "a finite number"
    return f"a finite number from {declared[0]:g} to {declared[1]:g}"


def _wrong_kinds(rows: Sequence[Row]) -> Iterator[tuple[Row, int, str]]:
    for row in rows:
        for step in row.steps_of("missing"):
            yield row, step, "no reward key"
        for step in row.steps_of("not a number"):
            yield row, step, f"{row.odd}, which is no number to learn from"


def _scores_out_of_range(rows: Sequence[Row], evidence: Evidence) -> Iterator[tuple[Row, int, str]]:
    """Yield the last step of each episode whose score is not where the author says.

    A walk that was left before the end has a score of its part only.
    """
    declared = evidence.score_range
    if declared is None:
        return
    for row in rows:
        if row.score is None or row.ended == "left":
            continue
        if not at_least(declared[0]) <= row.score <= at_most(declared[1]):
            rule = evidence.manifest.envassay.score
            yield (
                row,
                row.steps - 1,
                f"a score of {row.score:g} (the {rule} of the rewards), outside the declared "
                f"{declared[0]:g} to {declared[1]:g}",
            )


def _out_of_range(rows: Sequence[Row], evidence: Evidence) -> Iterator[tuple[Row, int, str]]:
    declared = evidence.manifest.reward_range
    if declared is None:
        return
    low, high = declared
    for row in rows:
        for step, value in zip(row.steps_of("number"), row.values, strict=True):
            if not at_least(low) <= value <= at_most(high):
                yield row, step, f"{value:g}, outside the declared {low:g} to {high:g}"
