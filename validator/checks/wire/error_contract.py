"""Does bad input get an error, and do session and server live on?"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.falls import fall
from validator.drills.bad_input import BadInput
from validator.drills.base import Drill
from validator.drills.exits import Exits
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale


class ErrorContract:
    """Fails a server or a session that does not survive a malformed message or action.

    An action that the server's own schema forbids and that is played without a word of error
    is a question: some environments are lenient on purpose. Where an agent writes code, code that
    exits is an action like any other.
    """

    id: ClassVar[str] = "wire.error_contract"
    title: ClassVar[str] = "Does bad input get an error, and do session and server live on?"
    drills: ClassVar[tuple[type[Drill], ...]] = (BadInput, Exits)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        record = evidence.drills.get(BadInput.name)
        facts: Mapping[str, Any] = record.facts if record else {}
        tried: Sequence[Mapping[str, Any]] = facts.get("tried", ())
        if (found := fall(evidence)) is not None:
            return failed(self, "the server goes down at a message", findings=[found])
        if not tried:
            why = record.fault if record and record.fault else "nothing was sent"
            return skipped(self, why, needed="an environment that resets")
        measured: Measured = {"messages": (float(len(tried)), "malformed messages")}
        if broken := [entry for entry in tried if "fault" in entry]:
            return self._broken(facts, broken, measured)
        if facts["played_before"] and facts["played_after"] is False:
            return failed(
                self,
                "the session cannot be played any more after bad input",
                findings=[
                    _finding(
                        tried[-1],
                        claim="a session does not recover from bad input",
                        saw="neither reset nor a legal step succeeds",
                        expected="an error, and a session as it was",
                        do="Check an action before anything is changed by it.",
                    )
                ],
                measured=measured,
            )
        if left := [entry for entry in _exits(evidence) if entry["ended"]]:
            return failed(
                self,
                "code that exits ends the session, without an answer",
                findings=[_of_exit(entry) for entry in left[:3]],
                measured=measured,
            )
        if taken := [e for e in tried if e["forbidden"] and e["answer"] == "observation"]:
            return failed(
                self,
                f"{len(taken)} actions that the schema forbids were played as if they were legal",
                findings=[
                    _finding(
                        entry,
                        claim="an action that the schema forbids is played",
                        saw="an observation without a word of an error",
                        expected="an error frame",
                        do="Check actions against the schema that is served, or serve the schema "
                        "that is meant.",
                    )
                    for entry in taken[:3]
                ],
                measured=measured,
                question=True,
            )
        return passed(
            self,
            f"{len(tried)} malformed messages were answered, session and server live on",
            measured=measured,
        )

    def _broken(
        self, facts: Mapping[str, Any], broken: Sequence[Mapping[str, Any]], measured: Measured
    ) -> CheckResult:
        dead = not facts.get("server_lives", True)
        return failed(
            self,
            "the server does not survive bad input"
            if dead
            else f"{len(broken)} malformed messages end the session",
            findings=[
                _finding(
                    entry,
                    claim="bad input brings the server down"
                    if dead
                    else "bad input ends a session",
                    saw=entry["fault"] + (", and no session after that" if dead else ""),
                    expected="an error frame, and a session that goes on",
                    do="Catch what is wrong with an action and raise an ordinary exception: the "
                    "stock server makes an error frame of it.",
                )
                for entry in broken[:3]
            ],
            measured=measured,
        )


def _exits(evidence: Evidence) -> Sequence[Mapping[str, Any]]:
    record = evidence.drills.get(Exits.name)
    facts: Mapping[str, Any] = record.facts if record else {}
    found: Sequence[Mapping[str, Any]] = facts.get("tried", ())
    return found


def _of_exit(entry: Mapping[str, Any]) -> Finding:
    return Finding(
        claim="code that exits ends the session",
        saw=f"{entry['ended']}, twice; other code is answered",
        expected="an observation that says how the code ended, or an error frame",
        where=f"exercise {Exits.name}, {entry['place']}",
        reproduce=f"on a new session reset, then step {entry['action']}",
        do="Catch `SystemExit` where the agent's code runs, or run it in a process of its own: "
        "the stock server closes the session on it without a word.",
    )


def _finding(entry: Mapping[str, Any], *, claim: str, saw: str, expected: str, do: str) -> Finding:
    return Finding(
        claim=claim,
        saw=saw,
        expected=expected,
        where="exercise bad_input",
        reproduce=f"on a new session reset, then send {entry['sent']}",
        do=do,
    )
