"""Can a success be reached at all by what was tried?"""

from typing import ClassVar

from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.headline import reachability, success_score
from validator.ladder import witnesses
from validator.rollouts.needs import Need, Scale
from validator.scoring import at_least
from validator.solutions import top_score
from validator.stopping import Stops, Witness
from validator.table import Row

ENOUGH = 3
"""Solutions of which none succeeds, before success is called out of reach."""


class RewardReachability:
    """RFC 008 #13: one success is a proof; none is a bound, and a failure for solutions alone.

    A success is a score at or above the declared threshold, else one above all that doing
    nothing earned; what a search found counts once it was walked again. Weak probes that never
    succeed say little of what a language model would. Where not one of the author's solutions
    succeeds either, there is nothing to be reached.
    """

    id: ClassVar[str] = "statistical.reward_reachability"
    title: ClassVar[str] = "Was a success reached by what was tried?"
    stops: ClassVar[Stops] = Witness(rate=0.025)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts, deep=0),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats, deep=scale.starts),
            Need(rung="reactive", starts=scale.starts, priority=2),
            Need(walks=scale.solutions),
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
        proofs = [row for probe in evidence.rungs for row in witnesses(evidence, probe)]
        proven = [row for row in proofs if row.score is not None and row.score >= least]
        if proven:
            return passed(
                self,
                f"none of {len(rows)} episodes of probes scored {meant}; {len(proven)} ways that a "
                f"search found do, for one {proven[0].key.path}",
                measured=measured,
            )
        solutions = [row for row in evidence.oracle if row.score is not None]
        top = top_score(evidence)
        enough = least if top is None else min(least, top)
        if any(row.score is not None and row.score >= enough for row in solutions):
            return passed(
                self,
                f"none of {len(rows)} episodes of probes scored {meant}; the declared solutions do",
                measured=measured,
            )
        if declared and len(solutions) >= ENOUGH and not evidence.unrepeatable:
            return failed(
                self,
                f"not one of {len(solutions)} declared solutions scored {meant}, nor of "
                f"{len(rows)} episodes of probes",
                findings=[_finding(evidence, solutions[0], meant)],
                measured=measured,
            )
        bound = (
            ""
            if isinstance(share, Undefined)
            else f": at most {share.confidence_interval(evidence.level(0.9)).high:.1%} of them "
            "would (95 %)"
        )
        return undecided(
            self,
            f"none of {len(rows)} episodes scored {meant}{bound}",
            needed="a more capable probe, or a larger --budget",
            measured=measured,
        )


def _finding(evidence: Evidence, row: Row, meant: str) -> Finding:
    return Finding(
        claim="a success cannot be reached, by the author's own solution neither",
        saw=f"a score of {row.score:g} at the end of a solution",
        expected=f"{meant}, for some solution at least",
        where=f"episode {row.key.path}",
        reproduce=by_hand(evidence, row),
        do="Mend the grader or the solution; or declare the score that is a success.",
    )
