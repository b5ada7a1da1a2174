"""Does the environment start, take a step, and keep answering?"""

from typing import ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, failed, passed, skipped
from validator.checks.falls import broken_off, fall
from validator.checks.reproduce import by_hand
from validator.episodes import Absent, Failed, Outcome
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale


class Startup:
    """Fails where no reset or no step ever succeeds, and where the server stops answering.

    A server that a message brings down takes the episodes of all with it, whoever sent it.
    """

    id: ClassVar[str] = "runtime.startup"
    title: ClassVar[str] = "Does the environment start, take a step, and keep answering?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=1, priority=0),
            Need(rung="blind", starts=1, priority=0),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        rows = evidence.table.rows
        if not rows:
            return skipped(self, "no episode was started", needed="a probe that can act here")
        started = [row for row in rows if row.started]
        if any(row.answered for row in started):
            if evidence.rollouts.broke:
                why = f"the server stopped: {evidence.rollouts.stopped}"
                return failed(self, why, findings=[broken_off(evidence)])
            if (found := fall(evidence)) is not None:
                return failed(self, "the server goes down at a message", findings=[found])
            if len(rows) > 1 and all(row.ended == "failed" for row in rows):
                return self._never_whole(evidence)
            return passed(self, f"{len(started)} of {len(rows)} resets succeeded")
        what = "step" if started else "reset"
        shown = (started or list(rows))[0]
        finding = Finding(
            claim=f"no {what} succeeded",
            saw=_why(shown.outcome),
            expected=f"an observation in answer to {what}",
            where=f"episode {shown.key.path}",
            reproduce=by_hand(evidence, shown),
            do="Run the environment by hand and mend what this answer names.",
        )
        return failed(self, f"no {what} succeeded in {len(rows)} episodes", findings=[finding])

    def _never_whole(self, evidence: Evidence) -> CheckResult:
        rows = evidence.table.rows
        longest = max(rows, key=lambda row: row.steps)
        finding = Finding(
            claim="every episode breaks off",
            saw=_why(longest.outcome),
            expected="episodes that end by `done`, or go on",
            where=f"episode {longest.key.path} and {len(rows) - 1} more",
            reproduce=by_hand(evidence, longest),
            do="Run the environment by hand to that step and mend what this answer names.",
        )
        return failed(
            self,
            f"none of {len(rows)} episodes came to its end: {finding.saw}",
            findings=[finding],
        )


def _why(outcome: Outcome) -> str:
    return outcome.why if isinstance(outcome, Failed | Absent) else "no step was answered"
