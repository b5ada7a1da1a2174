"""Does the same seed and the same script give the same episode on a fresh session?"""

from typing import ClassVar

from metrics.agreement import replay_agreement
from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.drills.base import Drill
from validator.drills.unhurried import Unhurried, agreed
from validator.evidence import Evidence, Pair
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops

WAIT = (
    "Let an action end what it began before it is answered, and let no session wait for another; "
    "or declare `stochastic: true`."
)


class EpisodeDeterminism:
    """RFC 008 #37 as far as a URL goes: fresh sessions of one server, not fresh containers.

    Ids and clocks are left out of the comparison. What n clean replays prove is a bound on the
    share of episodes that would differ, and it is reported as that.
    """

    id: ClassVar[str] = "runtime.episode_determinism"
    title: ClassVar[str] = "Does the same seed and script give the same episode again?"
    drills: ClassVar[tuple[type[Drill], ...]] = (Unhurried,)
    stops: ClassVar[Stops] = Fault(rate=0.125, of=("replay_agreement",))

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="blind", starts=scale.replayed_starts, scripted=True, replays=scale.replays),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        pairs = [pair for pair in evidence.pairs if pair.condition == "fresh"]
        found = replay_agreement([pair.difference is None for pair in pairs])
        if isinstance(found, Undefined):
            return skipped(
                self,
                found.reason,
                needed="a larger --budget, or an environment whose episodes do not fail",
            )
        measured: Measured = {"replay_agreement": (found, "replays")}
        differing = [pair for pair in pairs if pair.difference is not None]
        if not differing:
            return passed(
                self,
                f"{len(pairs)} of {len(pairs)} replays agree: fewer than "
                f"{found.flake_bound(0.95):.0%} of episodes would differ (95 %)",
                measured=measured,
            )
        stochastic = evidence.manifest.envassay.stochastic
        if stochastic not in (None, False):
            return passed(
                self,
                f"{len(differing)} of {len(pairs)} replays differ, as declared (`stochastic`)",
                measured=measured,
            )
        slowly = agreed(evidence.drills)
        findings = [difference_finding(evidence, pair) for pair in differing[:3]]
        return failed(
            self,
            f"{len(differing)} of {len(pairs)} replays differ"
            + (", and agree where they are played alone and slowly" if slowly else ""),
            findings=[one.model_copy(update={"do": WAIT}) if slowly else one for one in findings],
            measured=measured,
            question=stochastic is None,
        )


def difference_finding(evidence: Evidence, pair: Pair) -> Finding:
    """Return what a reader needs to see that an episode did not repeat."""
    difference = pair.difference
    assert difference is not None
    return Finding(
        claim=f"a replay differs in {difference.channel} ({difference.kind})",
        saw=f"{difference.a}, then {difference.b}",
        expected="the same answer to the same actions under one seed",
        where=f"episodes {pair.original.key.path} and {pair.replay.key.path}, "
        f"step {difference.step}, {difference.path}",
        reproduce=f"twice: {by_hand(evidence, pair.original, steps=difference.step)}",
        do="Draw all chance from the generator of the session; or declare `stochastic: true`.",
    )
