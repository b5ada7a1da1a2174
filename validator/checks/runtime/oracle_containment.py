"""Are the author's solutions out of the agent's reach?"""

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.disclosure import Shown, Viewing
from validator.drills.base import Drill
from validator.drills.oracle_reading import OracleReading
from validator.evidence import Evidence
from validator.oracle_pieces import held
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops

DECLARE = "`oracle: {trajectories: oracle.jsonl}` or `oracle: {policy: solver.py:solve}`"

MOST_EPISODES = 60
"""Episodes of probes whose observations are searched."""


class OracleContainment:
    """RFC 008 #22 as far as a URL goes: pieces of the declared solutions, in what is shown.

    Pieces are long lines of the author's function, and whole action lists. They are searched for
    in observations, metadata and errors, in the listing of tools, and in what each tool that
    reads brings for the declared paths and some usual ones.
    """

    id: ClassVar[str] = "runtime.oracle_containment"
    title: ClassVar[str] = "Are the author's solutions out of the agent's reach?"
    stops: ClassVar[Stops] = Fault(rate=0.05)
    drills: ClassVar[tuple[type[Drill], ...]] = (OracleReading,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="blind", starts=scale.starts),)

    def decide(self, evidence: Evidence) -> CheckResult:
        pieces = evidence.declared.pieces
        if not pieces:
            return skipped(
                self,
                "no solution is declared that is long enough to be known again",
                needed=f"{DECLARE} in the manifest",
            )
        drill = evidence.drills.get(OracleReading.name)
        facts: Mapping[str, Any] = drill.facts if drill else {}
        reads = [one for one in facts.get("reads", []) if held(pieces, one["told"])]
        shown = self._shown(evidence, pieces)
        listed = [
            tool
            for tool in evidence.about.tools or ()
            if held(pieces, tool.description + json.dumps(tool.input_schema))
        ]
        findings = [
            *(_read(one, held(pieces, one["told"])) for one in reads[:2]),
            *(_seen(evidence, one, held(pieces, one.text)) for one in shown[:2]),
            *(_listed(tool.name) for tool in listed[:1]),
        ]
        if findings:
            return failed(self, findings[0].claim, findings=findings)
        tried = len(facts.get("reads", []))
        tools = len(facts.get("tools", []))
        return passed(
            self,
            f"none of {len(pieces)} pieces of the solutions is in what the agent is shown"
            + (f", or read with {tools} tools in {tried} tries" if tools else ""),
        )

    def _shown(self, evidence: Evidence, pieces: tuple[str, ...]) -> list[Shown]:
        view = Viewing()
        for row in evidence.table.originals(evidence.probes("blind"))[:MOST_EPISODES]:
            view.add(row, evidence.table.frames(row))
        once = {one.text: one for one in reversed(view.shown)}
        return [one for text, one in once.items() if held(pieces, text)]


def _read(one: Mapping[str, Any], piece: str) -> Finding:
    return Finding(
        claim="a tool reads the author's solutions",
        saw=f"{piece[:80]!r} under {one['name']!r:.80}",
        expected="no such file, or none of its content",
        where=f"the exercise {OracleReading.name}",
        reproduce=f"on a new session reset, then step with {json.dumps(one['action'])}",
        do="Keep solutions off the machine that serves the agent, or outside what its tools reach.",
    )


def _seen(evidence: Evidence, one: Shown, piece: str) -> Finding:
    return Finding(
        claim="a piece of the author's solutions is shown to the agent",
        saw=f"{piece[:80]!r} in the {one.lane}",
        expected="nothing of them",
        where=f"episode {one.row.key.path}, step {one.step}",
        reproduce=by_hand(evidence, one.row, steps=one.step),
        do="Keep solutions out of observations and error texts.",
    )


def _listed(name: str) -> Finding:
    return Finding(
        claim="the description of a tool holds a piece of the author's solutions",
        saw=f"tool {name!r:.80}",
        expected="nothing of them",
        where="the listing of tools",
        reproduce="list the tools",
        do="Describe what a tool does, not how the task is solved.",
    )
