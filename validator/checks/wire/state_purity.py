"""Does reading the state, or listing the tools, leave an episode as it is?"""

from typing import ClassVar

from metrics.agreement import replay_agreement
from metrics.divergence import Divergence, diverges
from metrics.results import Undefined
from metrics.volatile import VOLATILE
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.drills.base import Drill
from validator.drills.looking import Looking
from validator.drills.playing import last_episode
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops


class StatePurity:
    """Compares episodes with replays that are watched, and an exercise that looks all the time.

    Where episodes do not repeat even unwatched, a difference proves nothing.
    """

    id: ClassVar[str] = "wire.state_purity"
    title: ClassVar[str] = "Does reading the state or the tools leave an episode as it is?"
    stops: ClassVar[Stops] = Fault(rate=0.55, of=("watched_agreement",))
    drills: ClassVar[tuple[type[Drill], ...]] = (Looking,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(
                rung="blind",
                starts=scale.replayed_starts,
                scripted=True,
                replays=1,
                condition="watched",
                priority=2,
            ),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        fresh = [pair for pair in evidence.pairs if pair.condition == "fresh"]
        watched = [pair for pair in evidence.pairs if pair.condition == "watched"]
        steady, looked = _exercise(evidence)
        if any(pair.difference is not None for pair in fresh) or not steady:
            return skipped(
                self,
                "episodes do not repeat even where nobody looks",
                needed="an environment that repeats under a seed",
            )
        found = replay_agreement([pair.difference is None for pair in watched])
        if isinstance(found, Undefined):
            return skipped(self, found.reason, needed="a larger --budget")
        measured: Measured = {"watched_agreement": (found, "replays")}
        differing = [pair for pair in watched if pair.difference is not None]
        findings = [
            _finding(
                pair.difference,
                where=f"episode {pair.replay.key.path}",
                reproduce=f"play episode {pair.original.key.path} again and read the state before "
                "each step",
            )
            for pair in differing[:3]
            if pair.difference is not None
        ]
        if looked is not None:
            findings.append(
                _finding(
                    looked,
                    where="exercise looking",
                    reproduce="play an episode, and play it again reading the state and listing "
                    "the tools before reset and before each step",
                )
            )
        if not findings:
            return passed(
                self,
                f"{len(watched)} of {len(watched)} episodes are the same where the state is read",
                measured=measured,
            )
        return failed(
            self,
            f"{len(differing)} of {len(watched)} episodes differ where the state is read"
            if differing
            else "an episode differs where state and tools are read before everything",
            findings=findings,
            measured=measured,
        )


def _exercise(evidence: Evidence) -> tuple[bool, Divergence | None]:
    """Return whether the exercise repeats unwatched, and where looking made a difference."""
    record = evidence.drills.get(Looking.name)
    if record is None or record.fault or len(record.sessions) != 3:
        return True, None
    plain, again, looked = (last_episode(frames) for frames in record.sessions)
    if diverges(plain, again, ignore=VOLATILE) is not None:
        return False, None
    return True, diverges(plain, looked, ignore=VOLATILE)


def _finding(difference: Divergence, *, where: str, reproduce: str) -> Finding:
    return Finding(
        claim=f"looking at an episode changes its {difference.channel}",
        saw=f"{difference.b}",
        expected=f"{difference.a}, as where nobody looks",
        where=f"{where}, step {difference.step}, {difference.path}",
        reproduce=reproduce,
        do="Let `state` and the listing of tools only read: draw no random number, count "
        "nothing, build nothing there.",
    )
