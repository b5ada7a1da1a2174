"""Can a success be reached at all by what was tried?"""

from typing import ClassVar

from metrics.results import Undefined
from validator.checks.base import CheckResult, Measured, passed, skipped
from validator.evidence import Evidence
from validator.headline import reachability, success_score
from validator.rollouts.needs import Need, Scale
from validator.scoring import at_least


class RewardReachability:
    """RFC 008 #41: one success is a proof; none is a bound, never a failure.

    A success is a score at or above the declared threshold, else one above all that doing
    nothing earned. Weak probes that never succeed say little of what a language model would.
    """

    id: ClassVar[str] = "statistical.reward_reachability"
    title: ClassVar[str] = "Was a success reached by what was tried?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
            Need(rung="reactive", starts=scale.starts, priority=2),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        share = reachability(evidence)
        threshold = success_score(evidence)
        rows = evidence.scored([name for name, rung in evidence.rungs.items() if rung != "panel"])
        if threshold is None or not rows:
            why = share.reason if isinstance(share, Undefined) else "no episode was scored"
            return skipped(self, why, needed="an environment that scores episodes")
        measured: Measured = {} if isinstance(share, Undefined) else {"success": (share, "starts")}
        least = at_least(threshold)
        successes = [row for row in rows if row.score is not None and row.score >= least]
        declared = evidence.success[0] is not None
        meant = f"{threshold:g} or more" if declared else "more than doing nothing"
        if successes:
            return passed(
                self,
                f"{len(successes)} of {len(rows)} episodes scored {meant}, "
                f"for one {successes[0].key.path}",
                measured=measured,
            )
        bound = (
            ""
            if isinstance(share, Undefined)
            else (f": at most {share.confidence_interval(0.9).high:.1%} of them would (95 %)")
        )
        return skipped(
            self,
            f"none of {len(rows)} episodes scored {meant}{bound}",
            needed="a more capable probe, or a larger --budget",
            measured=measured,
        )
