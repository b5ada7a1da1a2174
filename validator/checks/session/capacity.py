"""Does the server hold the sessions that group-based training opens at once?"""

from collections.abc import Mapping
from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.client.frames import Json
from validator.drills.base import Drill
from validator.drills.crowd import PLAYED, Crowd
from validator.drills.load import Load
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops


class Capacity:
    """Compares the sessions that were really served with the promise, and with the group size.

    Too few for a group where nothing was promised is a question: the default of the stock
    server is one.
    """

    id: ClassVar[str] = "session.capacity"
    title: ClassVar[str] = "Are enough sessions served at once for a group of rollouts?"
    stops: ClassVar[Stops] = Fault(rate=0.05)
    drills: ClassVar[tuple[type[Drill], ...]] = (Load,)
    """For the figures of speed against concurrency; nothing is decided from it."""

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="blind", starts=scale.starts, repeats=scale.repeats),)

    def decide(self, evidence: Evidence) -> CheckResult:
        served, refused = _served(evidence), evidence.rollouts.refused_at
        group, promised = evidence.group_size, evidence.manifest.envassay.concurrency
        measured: Measured = {"sessions_served": (float(served), "sessions at once")}
        wanted = group if promised is None else promised
        if served >= wanted or (promised is not None and refused is None and served):
            enough = "enough" if served >= group else "fewer than"
            return passed(
                self,
                f"{served} sessions at once, {enough} for groups of {group}"
                if served >= group
                else f"{served} sessions at once, as promised; fewer than a group of {group}",
                measured=measured,
            )
        if refused is None:
            if not evidence.rollouts.most_open and evidence.table.everything:
                return skipped(
                    self,
                    "every episode was kept from an earlier run, and none was played now",
                    needed="a run in a new folder",
                    measured=measured,
                )
            return skipped(
                self,
                f"only {served} sessions were ever needed at once",
                needed="a larger --budget",
                measured=measured,
            )
        finding = Finding(
            claim="one more session is refused",
            saw=f"{refused} open, the next one refused",
            expected=f"{wanted} at once, "
            + ("as promised (`concurrency`)" if promised else "a group of rollouts"),
            where="sessions of this run",
            reproduce=f"open {refused + 1} WebSocket sessions and reset each",
            do=f"Serve {wanted} sessions (the stock server's `max_concurrent_envs` is 1); or "
            f"declare `concurrency: {max(refused, 1)}`.",
        )
        return failed(
            self,
            f"{refused} sessions at once, {wanted} {'promised' if promised else 'wanted'}",
            findings=[finding],
            measured=measured,
            question=promised is None,
        )


def _served(evidence: Evidence) -> int:
    """Return the most sessions that were served at once, in the episodes or in an exercise.

    A run that goes on in its folder may play nothing new; what exercises saw is kept there.
    """
    record = evidence.drills.get(Crowd.name)
    facts: Mapping[str, Any] = record.facts if record else {}
    crowds: list[list[Json]] = [
        each["fared"] for each in facts.get("passes", ()) if each["how"] != "alone"
    ]
    return max([evidence.rollouts.most_open, *(fared.count(PLAYED) for fared in crowds)])
