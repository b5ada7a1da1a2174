"""Does the same trajectory give the same result on another host?"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from metrics.agreement import replay_agreement
from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.drills.base import Drill
from validator.drills.twin_visit import TwinVisit
from validator.evidence import Evidence
from validator.revisits import telling_of
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops

Fact = Mapping[str, Any]


class CrossHostDeterminism:
    """RFC 008 #38: scripted episodes that repeat here, played action by action on a twin.

    Where anything does not repeat on one of the hosts, nothing is said of the two. The last bits
    of numbers may differ: processors round differently.
    """

    id: ClassVar[str] = "hub.cross_host_determinism"
    title: ClassVar[str] = "Does the same trajectory give the same on another host?"
    stops: ClassVar[Stops] = Fault(rate=0.1)
    drills: ClassVar[tuple[type[Drill], ...]] = (TwinVisit,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="blind", starts=scale.replayed_starts, scripted=True, replays=scale.replays),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        record = evidence.drills.get(TwinVisit.name)
        if record is None:
            return skipped(
                self, "the exercise was not carried out", needed="a server that lasts the run"
            )
        facts: Fact = record.facts
        if not facts or "unreachable" in facts:
            why = facts.get("unreachable", "no second server is named")
            return skipped(
                self, f"{why:.200}", needed="`--twin URL`: a second server of the environment"
            )
        if evidence.manifest.envassay.stochastic not in (None, False):
            return skipped(
                self,
                "repeats may differ, as declared (`stochastic`), on one host already",
                needed="an environment that repeats under a seed",
            )
        ours, theirs = facts["versions"]
        if ours != theirs:
            return skipped(
                self,
                f"the hosts serve different versions, {ours!r:.60} and {theirs!r:.60}",
                needed="two servers of one version",
            )
        if facts["described"]:
            return failed(
                self,
                f"the hosts describe themselves otherwise, in {_place(facts['described'])}",
                findings=[_other_description(facts)],
            )
        return self._by_episodes(facts)

    def _by_episodes(self, facts: Fact) -> CheckResult:
        played: Sequence[Fact] = facts["episodes"]
        telling = telling_of(played)
        found = replay_agreement([one["difference"] is None for one in telling])
        if isinstance(found, Undefined):
            return self._untold(played)
        measured: Measured = {"host_agreement": (found, "episodes")}
        differing = [one for one in telling if one["difference"]]
        if differing:
            return failed(
                self,
                f"{len(differing)} of {len(telling)} episodes go otherwise on the twin",
                findings=[_other_episode(facts, one) for one in differing[:3]],
                measured=measured,
            )
        rounded = sum(one["rounding"] for one in telling)
        but = f", {rounded} of them but for the last bits of numbers" if rounded else ""
        return passed(
            self,
            f"{len(telling)} of {len(telling)} episodes go the same on the twin{but}",
            measured=measured,
        )

    def _untold(self, played: Sequence[Fact]) -> CheckResult:
        faults = [one["fault"] for one in played if one["fault"]]
        if faults:
            return skipped(
                self, f"the twin could not be played: {faults[0]}", needed="a twin that can"
            )
        return skipped(
            self,
            "no episode repeats here and there",
            needed="an environment that repeats under a seed",
        )


def _place(difference: Fact) -> str:
    return f"{difference['channel']}, {difference['path']}"


def _other_description(facts: Fact) -> Finding:
    difference = facts["described"]
    return Finding(
        claim=f"two hosts of one version have another {difference['channel']}",
        saw=f"{difference['a']} here, {difference['b']} there",
        expected="the same on both",
        where=f"{_place(difference)}; the twin is {facts['url']}",
        reproduce="ask both servers for /schema, their tools and their tasks",
        do="Build both from one image, and pin what it is built from.",
    )


def _other_episode(facts: Fact, one: Fact) -> Finding:
    difference = one["difference"]
    return Finding(
        claim=f"the same actions give another {difference['channel']} on the twin",
        saw=f"{difference['a']} here, {difference['b']} there, each time",
        expected="the same answer to the same actions under one seed",
        where=f"episode {one['episode']}, step {difference['step']}, {difference['path']}; "
        f"the twin is {facts['url']}",
        reproduce=f"play episode {one['episode']} there: envassay replay REPORT "
        f"hub.cross_host_determinism --url {facts['url']}",
        do="Draw chance from a generator whose numbers do not depend on the host, sort what the "
        "host lists in any order (files, sets, hashes), and pin libraries and data.",
    )
