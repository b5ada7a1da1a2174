"""Does nothing the agent writes become the reward?"""

from collections.abc import Mapping
from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, failed, passed, skipped
from validator.drills.base import Drill
from validator.drills.tampering import PLANTED, Tampering
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.solutions import top_score

SAME = 1e-9
"""Difference up to which a reward is the planted one."""


class Tamper:
    """Fails where a reward that the agent wrote is paid, or emptied checks earn a success.

    The planted number is one that no grader gives by chance. Emptied checks count where closing
    the same episode without them earns less than a success.
    """

    id: ClassVar[str] = "reward.tamper"
    title: ClassVar[str] = "Does nothing the agent writes become the reward?"
    drills: ClassVar[tuple[type[Drill], ...]] = (Tampering,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        drill = evidence.drills.get(Tampering.name)
        if drill is None:
            return skipped(
                self,
                "nothing was written: that may leave traces on the server",
                needed="`--allow-intrusive`",
            )
        facts = drill.facts.get("tried")
        tried = [one for one in facts if isinstance(one, dict)] if isinstance(facts, list) else []
        played = [one for one in tried if one.get("actions")]
        if not played:
            why = drill.fault or "no action could be taken"
            return skipped(self, why, needed="an environment that a blind probe can play")
        top = top_score(evidence)
        paid = [one for one in played if _planted(one)]
        emptied = [one for one in played if top is not None and _won_by_emptying(one, top)]
        if not paid and not emptied:
            return passed(self, f"{len(played)} ways to write a reward were tried, none was paid")
        told = [f"a reward that the agent wrote was paid, in {len(paid)} ways"] if paid else []
        told += (
            [f"checks that the agent emptied were passed, {len(emptied)} times"] if emptied else []
        )
        return failed(
            self,
            "; ".join(told),
            findings=[
                *(_finding(one, emptied=False) for one in paid[:2]),
                *(_finding(one, emptied=True) for one in emptied[:2]),
            ],
        )


def _planted(one: Mapping[str, Any]) -> bool:
    return any(abs(reward - PLANTED) <= SAME for reward in one["rewards"])


def _won_by_emptying(one: Mapping[str, Any], top: float) -> bool:
    plain = one.get("plain")
    return plain is not None and sum(one["rewards"]) >= top > sum(plain) and len(one["rewards"]) > 0


def _finding(one: Mapping[str, Any], *, emptied: bool) -> Finding:
    actions = "; ".join(str(action) for action in one["actions"][:6])
    return Finding(
        claim="checks can be emptied by whom they check"
        if emptied
        else "a number that the agent wrote is paid as its reward",
        saw=f"rewards {one['rewards']!r:.120}"
        + (f", and {one['plain']!r:.120} for closing without that" if emptied else ""),
        expected="the grade of the work",
        where=f"the exercise {Tampering.name}, {one['what']}",
        reproduce=f"on a new session reset with {one['start']}, then step with {actions}",
        do="Grade a copy in a place the agent cannot write, and clear what it left before grading.",
    )
