"""Does a session that breaks off give its slot back?"""

from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.drills.base import Drill
from validator.drills.cuts import PAUSES, Cuts
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale


class Recovery:
    """Cuts sessions off without a farewell and asks for another one after each."""

    id: ClassVar[str] = "session.recovery"
    title: ClassVar[str] = "Does a session that breaks off give its slot back?"
    drills: ClassVar[tuple[type[Drill], ...]] = (Cuts,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        record = evidence.drills.get(Cuts.name)
        facts: Any = record.facts if record else {}
        if "cut" not in facts:
            why = record.fault if record and record.fault else "no session was cut"
            return skipped(self, why, needed="an environment that resets")
        cut = facts["cut"]
        measured: Measured = {"cut": (float(cut), "sessions cut off")}
        if facts["granted"]:
            return passed(
                self, "a new session was granted after each that was cut off", measured=measured
            )
        finding = Finding(
            claim="sessions that break off keep their slots",
            saw=facts["why"],
            expected=f"a new session within {sum(PAUSES):g} s",
            where=f"exercise cuts, after {cut} sessions"
            if cut
            else "exercise cuts, after the sessions of other exercises were closed within episodes",
            reproduce=f"{cut or 'many'} times: open a session, reset, step once, and cut the "
            "connection without closing it; then open one more",
            do="Free what a session holds when its connection ends, in whatever way and in the "
            "middle of an episode, too: in `close`, which the stock server calls.",
        )
        return failed(
            self,
            f"no session is granted after {cut} were cut off"
            if cut
            else "no session is granted after all of a run were closed",
            findings=[finding],
            measured=measured,
        )
