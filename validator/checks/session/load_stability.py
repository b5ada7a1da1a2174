"""Is an episode alone the same as beside others?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from metrics.agreement import replay_agreement
from metrics.divergence import Divergence, diverges
from metrics.results import Undefined
from metrics.volatile import VOLATILE
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.client.frames import Frame
from validator.drills.base import Drill, DrillRecord
from validator.drills.crowd import PLAYED, REFUSED, Crowd
from validator.drills.playing import last_episode
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beside:
    """One member of the crowd in one pass, beside what it was alone."""

    member: Mapping[str, Any]
    how: str
    fault: str
    """How its session broke off; empty where it was played."""
    difference: Divergence | None

    @property
    def differs(self) -> bool:
        return bool(self.fault) or self.difference is not None


class LoadStability:
    """Compares episodes that repeat alone with the same ones beside others.

    First in turns, one step of each session after the other, then all at once. A session that
    is refused is capacity's business and is left out.
    """

    id: ClassVar[str] = "session.load_stability"
    title: ClassVar[str] = "Is an episode alone the same as beside others?"
    drills: ClassVar[tuple[type[Drill], ...]] = (Crowd,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        record = evidence.drills.get(Crowd.name)
        if record is None or record.fault or not record.facts.get("members"):
            if evidence.manifest.envassay.concurrency == 1:
                return passed(self, "one session at a time, as declared: there is no load")
            why = record.fault if record else "the exercise was not carried out"
            why = why or "fewer than two sessions are served at once"
            return skipped(self, why, needed="a server that serves sessions at once")
        found = list(_compare(record))
        agreement = replay_agreement([not each.differs for each in found])
        if isinstance(agreement, Undefined):
            return skipped(
                self,
                "episodes do not repeat even alone",
                needed="an environment that repeats under a seed",
            )
        measured: Measured = {"loaded_agreement": (agreement, "episodes beside others")}
        differing = [each for each in found if each.differs]
        if differing and evidence.manifest.envassay.stochastic:
            return skipped(
                self,
                "repeats may differ, as declared (`stochastic`)",
                needed="an environment that repeats under a seed",
                measured=measured,
            )
        if not differing:
            return passed(
                self,
                f"{len(found)} of {len(found)} episodes are the same beside others",
                measured=measured,
            )
        return failed(
            self,
            f"{len(differing)} of {len(found)} episodes differ beside others",
            findings=[_finding(each) for each in _first_of_each(differing)][:3],
            measured=measured,
        )


def _compare(record: DrillRecord) -> Iterator[_Beside]:
    """Yield every member in every pass of the crowd; nothing where one does not repeat alone."""
    members: Any = record.facts["members"]
    passes: Any = record.facts["passes"]
    lanes: list[tuple[str, Any, Sequence[tuple[Frame, ...]]]] = [
        (entry["how"], entry["fared"], _in_order(entry["how"], part))
        for entry, part in _parts(record, passes, len(members))
    ]
    alone = [lane for lane in lanes if lane[0] == "alone"]
    played = [
        number
        for number in range(len(members))
        if all(fared[number] == PLAYED for _, fared, _ in alone)
    ]
    first = {number: last_episode(alone[0][2][number]) for number in played}
    for number, trace in first.items():
        if any(
            diverges(trace, last_episode(lane[number]), ignore=VOLATILE) for _, _, lane in alone
        ):
            return
    for number in played:
        for how, fared, lane in lanes:
            if how == "alone" or fared[number] == REFUSED or not first[number]:
                continue
            yield _Beside(
                member=members[number],
                how=how,
                fault="" if fared[number] == PLAYED else fared[number],
                difference=diverges(first[number], last_episode(lane[number]), ignore=VOLATILE),
            )


def _parts(
    record: DrillRecord, passes: Sequence[Mapping[str, Any]], size: int
) -> Iterator[tuple[Mapping[str, Any], Sequence[tuple[Frame, ...]]]]:
    sessions = record.sessions[-len(passes) * size :]
    for number, entry in enumerate(passes):
        yield entry, sessions[number * size : (number + 1) * size]


def _in_order(how: str, sessions: Sequence[tuple[Frame, ...]]) -> Sequence[tuple[Frame, ...]]:
    """Return sessions in the order of the members: a crowd is closed from its last member on."""
    return sessions if how == "alone" else sessions[::-1]


def _first_of_each(found: Sequence[_Beside]) -> list[_Beside]:
    """Return the first for each way of playing and kind of difference."""
    shown: dict[tuple[str, str], _Beside] = {}
    for each in found:
        kind = each.difference.channel if each.difference else "session"
        shown.setdefault((each.how, kind), each)
    return list(shown.values())


def _finding(each: _Beside) -> Finding:
    task, seed, walk = (each.member[key] for key in ("task", "seed", "walk"))
    difference = each.difference
    if difference is None:
        claim, saw, expected, place = (
            "a session breaks off beside others",
            each.fault,
            "an episode, as alone",
            "",
        )
    else:
        claim = f"other sessions show in {difference.channel}"
        saw, expected = difference.b, f"{difference.a}, as twice alone"
        place = f", step {difference.step}, {difference.path}"
    who = f"walking {walk}" if walk else "with one script of actions"
    return Finding(
        claim=claim,
        saw=saw,
        expected=expected,
        where=f"exercise crowd, {each.how}: task {task}, seed {seed}{place}",
        reproduce=f"play task {task} with seed {seed}, {who}, alone and beside seven others, "
        f"{each.how}",
        do="Keep everything of an episode in its session: generators, engines, clocks, folders. "
        "Where grading waits for others, let it take its time rather than pay 0.",
    )
