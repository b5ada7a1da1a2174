"""Are failures told as errors, and not booked as rewards?"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.drills.base import Drill
from validator.drills.provocations import Provocations
from validator.episodes import Failed
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops
from validator.table import Row


class FailureAccounting:
    """Looks at failures that happened, and provokes some with legal but unwelcome actions.

    Told as an error frame, a failure can be left out or tried again. Booked it is where a reset
    answers with an episode that is over, where some episodes end without a reward while most
    end with one, where a broken action ends its episode with a number, or where what was paid
    last is paid again.
    """

    id: ClassVar[str] = "episode.failure_accounting"
    title: ClassVar[str] = "Are failures told as errors, and not booked as rewards?"
    stops: ClassVar[Stops] = Fault(rate=0.05, of=("over_at_reset",))
    drills: ClassVar[tuple[type[Drill], ...]] = (Provocations,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        begun = [row for row in evidence.table.rows if row.started]
        ended = [row for row in begun if row.ended == "done" and row.steps]
        over = [row for row in begun if row.ended == "done" and not row.steps]
        unpaid = [row for row in ended if row.kind_at(row.steps - 1) in ("null", "missing")]
        tried = [one for one in _facts(evidence, "tried") if "kind" in one]
        used = _facts(evidence, "after_pay")
        findings = [
            *(_over(evidence, row) for row in (over if 2 * len(over) < len(begun) else [])[:2]),
            *(_unpaid(evidence, r) for r in (unpaid if 2 * len(unpaid) < len(ended) else [])[:2]),
            *list(_booked(tried))[:2],
            *list(_stale(used))[:2],
        ]
        honest = sum(isinstance(row.outcome, Failed) for row in evidence.table.rows)
        measured: Measured = {
            "over_at_reset": (proportion(len(over), len(begun)), "resets"),
            "unpaid_at_end": (proportion(len(unpaid), len(ended)), "ended episodes"),
        }
        if findings:
            return failed(
                self,
                "; ".join(dict.fromkeys(finding.claim for finding in findings)),
                findings=findings,
                measured=measured,
            )
        if not tried and not honest:
            return skipped(
                self,
                "no failure happened, and none could be provoked",
                needed="an environment that a blind probe can play",
                measured=measured,
            )
        refused = sum(one.get("kind") == "error" for one in tried)
        return passed(
            self,
            f"{honest} failed episodes were told as errors; of {len(tried)} unwelcome actions "
            f"{refused} were refused and none was booked as a failure",
            measured=measured,
        )


def _facts(evidence: Evidence, name: str) -> list[Mapping[str, Any]]:
    drill = evidence.drills.get(Provocations.name)
    found = drill.facts.get(name) if drill else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _over(evidence: Evidence, row: Row) -> Finding:
    return Finding(
        claim="a reset is answered with an episode that is over",
        saw="`done: true` before the first step, as other resets are not",
        expected="an error, so that the reset can be tried again",
        where=f"episode {row.key.path}, the answer to reset",
        reproduce=by_hand(evidence, row, steps=0) + "; repeat, it is not every time",
        do="Let a reset that fails raise: an episode of no steps is taken for a score of zero.",
    )


def _unpaid(evidence: Evidence, row: Row) -> Finding:
    kind = row.kind_at(row.steps - 1)
    return Finding(
        claim="some episodes end without a reward, while most end with one",
        saw="null" if kind == "null" else "no reward key",
        expected="a number, or an error where the grading failed",
        where=f"episode {row.key.path}, step {row.steps}",
        reproduce=by_hand(evidence, row),
        do="Let a grading that fails raise: clients take an absent reward for zero.",
    )


def _booked(tried: list[Mapping[str, Any]]) -> Iterator[Finding]:
    """Yield what came of actions that broke something and were answered as if they had not."""
    ordinary: Mapping[str, Any] = {}
    for one in tried:
        if one.get("what") == "as it is":
            ordinary = one
            continue
        if one.get("done") is not True or ordinary.get("kind") != "number":
            continue
        if one["kind"] in ("null", "missing"):
            yield _provoked(
                one,
                claim="an action ends the episode without a reward, where an ordinary one is paid",
                saw="null" if one["kind"] == "null" else "no reward key",
            )
        elif one["kind"] == "number" and one["breakdown"] and not ordinary.get("breakdown"):
            yield _provoked(
                one,
                claim="a breakdown ends the episode with a reward and no error",
                saw=f"reward {one['value']:g}, done, and {one['breakdown']!r} in the observation",
            )


def _provoked(one: Mapping[str, Any], *, claim: str, saw: str) -> Finding:
    return Finding(
        claim=claim,
        saw=saw,
        expected="an error frame, or a grade",
        where=f"the exercise {Provocations.name}, {one['what']}",
        reproduce=f"on a new session reset with {one['start']}, then step with {one['action']}",
        do="Let what fails inside raise, so that the episode is left out and not learned from.",
    )


def _stale(used: list[Mapping[str, Any]]) -> Iterator[Finding]:
    for one in used:
        new, after, paid = one["new"], one["used"], one["paid"]
        if paid and after["value"] == paid and new["value"] != paid and new["kind"] == "number":
            yield Finding(
                claim="the last reward is paid once more for an action that did nothing",
                saw=f"reward {paid:g} after an episode that had earned it",
                expected=f"{new['value']:g}, as on a new session",
                where=f"the exercise {Provocations.name}, {one['what']}",
                reproduce=f"on a new session play the declared solution from {one['start']}, "
                f"reset likewise, then step with {one['action']}",
                do="Compute each reward anew, and let what fails inside raise.",
            )
