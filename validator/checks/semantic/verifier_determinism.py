"""Does the same trajectory earn the same reward?"""

from typing import ClassVar

from metrics.agreement import replay_agreement

from metrics.results import Undefined
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.runtime.episode_determinism import difference_finding
from validator.evidence import Evidence, Pair
from validator.rollouts.needs import Need, Scale


class VerifierDeterminism:
    """RFC 008 #39: replays in which everything but the reward agrees up to the difference."""

    id: ClassVar[str] = "semantic.verifier_determinism"
    title: ClassVar[str] = "Does the same trajectory earn the same reward?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="blind", starts=scale.replayed_starts, scripted=True, replays=scale.replays),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        fresh = [pair for pair in evidence.pairs if pair.condition == "fresh"]
        pairs = [pair for pair in fresh if _same_trajectory(pair)]
        found = replay_agreement([pair.difference is None for pair in pairs])
        if isinstance(found, Undefined):
            why = "no replay took the same trajectory" if fresh else found.reason
            return skipped(self, why, needed="an environment that repeats under a seed")
        measured: Measured = {"reward_agreement": (found, "replays of one trajectory")}
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
            question=evidence.manifest.envassay.stochastic is None,
        )


def _same_trajectory(pair: Pair) -> bool:
    return pair.difference is None or pair.difference.channel == "reward"
