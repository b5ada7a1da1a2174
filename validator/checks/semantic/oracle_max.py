"""Does the author's own solution earn the top?"""

from collections.abc import Sequence
from typing import ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.episodes import Failed
from validator.evidence import Evidence
from validator.mutants import texts_of
from validator.rollouts.needs import Need, Scale
from validator.solutions import top_score, variants, walked
from validator.table import Row, start_of

STRICT = 3
"""Right answers in space that must all be unpaid before a grader is called strict."""

KINDS = (("type",), ("tool_name",))
"""Fields that say which action it is."""

DECLARE = "`oracle: {trajectories: oracle.jsonl}` or `oracle: {policy: solver.py:solve}`"


class OracleMax:
    """RFC 008 #25: each declared solution against the top, less `oracle_tolerance`.

    The top is the score of a success where the author declares one. Episodes that failed say
    nothing of the grader and are left out. Where all solutions earn it, so must their answers
    with a space before and a line break after them: a grader that refuses those is a question,
    unless the answer is one of several fields that are filled in.
    """

    id: ClassVar[str] = "semantic.oracle_max"
    title: ClassVar[str] = "Does the author's own solution earn the top?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(walks=scale.solutions),)

    def more(self, evidence: Evidence, scale: Scale) -> tuple[Need, ...]:
        walks = variants(evidence, scale)
        return (Need(walks=walks, priority=2),) if walks else ()

    def decide(self, evidence: Evidence) -> CheckResult:
        played = evidence.oracle
        if not played:
            return skipped(self, "no solution is declared", needed=f"{DECLARE} in the manifest")
        rows = [row for row in played if not isinstance(row.outcome, Failed)]
        top = top_score(evidence)
        if not rows or top is None:
            return self._undecided(played, rows)
        below = [row for row in rows if row.score is None or row.score < top]
        if below and evidence.unrepeatable and _fixed(evidence):
            return skipped(
                self,
                "a fixed list of actions proves nothing where an episode does not repeat",
                needed="an environment that repeats under a seed (`runtime.episode_determinism`), "
                "or `oracle: {policy: solver.py:solve}`",
            )
        found = proportion(len(rows) - len(below), len(rows))
        measured: Measured = {"oracle_reaches_top": (found, "solutions")}
        if below:
            return failed(
                self,
                f"{len(below)} of {len(rows)} declared solutions earn less than {top:g}",
                findings=[_finding(evidence, row, top) for row in below[:3]],
                measured=measured,
            )
        return self._strictness(evidence, rows, top, measured)

    def _undecided(self, played: Sequence[Row], rows: Sequence[Row]) -> CheckResult:
        if rows:
            return skipped(
                self,
                "nothing declares what a solution should earn",
                needed="`score_range: [0.0, 1.0]` in the manifest",
            )
        outcome = played[0].outcome
        assert isinstance(outcome, Failed)
        return skipped(
            self,
            f"none of {len(played)} solutions could be played: {outcome.why}",
            needed="a solution that runs to its end",
        )

    def _strictness(
        self, evidence: Evidence, rows: Sequence[Row], top: float, measured: Measured
    ) -> CheckResult:
        spaced = walked(evidence, "spaced")
        unpaid = [row for row in spaced if row.score is not None and row.score < top]
        measured = {
            **measured,
            **{
                f"{name}_reaches_top": (
                    proportion(sum(row.score is not None and row.score >= top for row in found),
                               len(found)),
                    "changed solutions",
                )
                for name in ("cut", "swapped", "spaced", "padded")
                if (found := walked(evidence, name))
            },
        }  # fmt: skip
        strict = len(unpaid) >= STRICT and len(unpaid) == len(spaced) and spaced[0].steps == 1
        if strict and all(_said(evidence, row) for row in unpaid):
            return failed(
                self,
                f"{len(rows)} of {len(rows)} solutions earn the top, and none of {len(unpaid)} "
                "with a space and a line break about the same answer",
                findings=[_strict(evidence, row) for row in unpaid[:2]],
                measured=measured,
                question=True,
            )
        return passed(
            self, f"{len(rows)} of {len(rows)} declared solutions earn {top:g}", measured=measured
        )


def _said(evidence: Evidence, row: Row) -> bool:
    """Say whether an answer is all the text of its action; in a form, no field has space about."""
    found = [path for path, _ in texts_of(evidence.actions(row)[-1]) if path[-1:] not in KINDS]
    return len(found) == 1


def _fixed(evidence: Evidence) -> bool:
    oracle = evidence.manifest.envassay.oracle
    return oracle is not None and oracle.trajectories is not None


def _finding(evidence: Evidence, row: Row, top: float) -> Finding:
    saw = "no reward" if row.score is None else f"a score of {row.score:g}"
    return Finding(
        claim="a solution that the author declares is not paid in full",
        saw=saw,
        expected=f"{top:g} or more",
        where=f"start {start_of(row.key)}, episode {row.key.path}",
        reproduce=by_hand(evidence, row),
        do="Compare what the grader expects with what the task asks for; or mend the solution.",
    )


def _strict(evidence: Evidence, row: Row) -> Finding:
    return Finding(
        claim="the right answer is not paid where there is space about it",
        saw=f"a score of {row.score:g}",
        expected="the score of the same answer without",
        where=f"episode {row.key.path}",
        reproduce=by_hand(evidence, row),
        do="Strip an answer before it is compared: models end theirs with a line break.",
    )
