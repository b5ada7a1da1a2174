"""Does the same trajectory earn the same reward?"""

from typing import ClassVar

from metrics.agreement import replay_agreement
from metrics.divergence import diverges
from metrics.results import Undefined
from metrics.volatile import VOLATILE
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.runtime.episode_determinism import difference_finding
from validator.client.frames import Json
from validator.evidence import Evidence, Pair
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops


class VerifierDeterminism:
    """RFC 008 #39: replays in which everything but the reward agrees, to the end.

    Where observations or the end differ as well, the episode is another one, and its reward
    may well be: that is `runtime.episode_determinism`. Solutions are replayed, too: a grader
    that now and then takes a right answer for a wrong one shows on nothing else, so that replays
    of other episodes are no reason to play fewer of theirs.
    """

    id: ClassVar[str] = "semantic.verifier_determinism"
    title: ClassVar[str] = "Does the same trajectory earn the same reward?"
    stops: ClassVar[Stops] = Fault(rate=0.125, of=("reward_agreement", "solution_agreement"))

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="blind", starts=scale.replayed_starts, scripted=True, replays=scale.replays),
            Need(walks=scale.solutions[: scale.replayed_starts], replays=scale.replays),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        fresh = [pair for pair in evidence.pairs if pair.condition == "fresh"]
        pairs = [pair for pair in fresh if _same_trajectory(evidence, pair)]
        found = replay_agreement([pair.difference is None for pair in pairs])
        if pairs and len(pairs) < len(fresh) and any(pair.difference for pair in pairs):
            return skipped(
                self,
                "replays differ in more than the reward, so that a hidden difference of the task "
                "would look the same",
                needed="an environment that repeats under a seed",
            )
        if isinstance(found, Undefined):
            why = "no replay took the same trajectory" if fresh else found.reason
            return skipped(self, why, needed="an environment that repeats under a seed")
        measured: Measured = {"reward_agreement": (found, "replays of one trajectory")}
        solved = [pair.difference is None for pair in pairs if pair.original.key.walk]
        if solved:
            agreed = replay_agreement(solved)
            measured = {**measured, "solution_agreement": (agreed, "replays of solutions")}
        differing = [pair for pair in pairs if pair.difference is not None]
        if not differing:
            return passed(
                self,
                f"{len(pairs)} of {len(pairs)} equal trajectories earned the same",
                measured=measured,
            )
        declared = evidence.manifest.judged or evidence.manifest.envassay.stochastic not in (
            None,
            False,
        )
        if declared:
            return passed(
                self,
                f"{len(differing)} of {len(pairs)} equal trajectories differ in reward, as said",
                measured=measured,
            )
        return failed(
            self,
            f"{len(differing)} of {len(pairs)} equal trajectories earned otherwise",
            findings=[difference_finding(evidence, pair) for pair in differing[:3]],
            measured=measured,
            question=evidence.manifest.envassay.stochastic is None
            and evidence.manifest.validation is None,
        )


def _same_trajectory(evidence: Evidence, pair: Pair) -> bool:
    if pair.difference is None or pair.difference.channel != "reward":
        return pair.difference is None
    unpaid = (_without_reward(evidence.trace(row)) for row in (pair.original, pair.replay))
    return diverges(*unpaid, ignore=VOLATILE) is None


def _without_reward(trace: list[dict[str, Json]]) -> list[dict[str, Json]]:
    return [{name: v for name, v in step.items() if name != "reward"} for step in trace]
