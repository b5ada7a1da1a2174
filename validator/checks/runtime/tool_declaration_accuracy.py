"""Are the tools that are listed the tools that there are?"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.client.frames import Json
from validator.client.reading import Observed, read
from validator.drills.base import Drill
from validator.drills.looking import Looking
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops

RESERVED = frozenset({"reset", "step", "state", "close"})
"""What the protocol calls its own messages."""
MOST_EPISODES = 100
"""Episodes whose calls are looked at."""


class ToolDeclarationAccuracy:
    """RFC 008 #34, and without a manifest the listing against itself and against the calls.

    A listing that changes within an episode is a question where nothing is declared: some
    environments offer tools as one goes on.
    """

    id: ClassVar[str] = "runtime.tool_declaration_accuracy"
    title: ClassVar[str] = "Are the tools that are listed the tools that there are?"
    stops: ClassVar[Stops] = Fault(rate=0.05)
    drills: ClassVar[tuple[type[Drill], ...]] = (Looking,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="blind", starts=scale.starts),)

    def decide(self, evidence: Evidence) -> CheckResult:
        declared = _declared(evidence)
        tools = evidence.about.tools
        if not tools:
            if declared:
                return self._failed(
                    [_finding("tools are declared, none is listed", "no tool", _many(declared))], 0
                )
            return passed(self, "no tool is listed, and none is declared")
        if _paged(evidence):
            return skipped(
                self,
                "the listing goes on over several pages",
                needed="a server that lists its tools at once",
            )
        listed = [tool.name for tool in tools]
        findings = [*_wrong_names(listed, declared), *_not_there(evidence, set(listed))]
        if findings:
            return self._failed(findings, len(listed))
        if changed := _changed(evidence, set(listed)):
            return self._failed([changed], len(listed), question=declared is None)
        return passed(
            self,
            f"{len(listed)} tools are listed" + (", as declared" if declared is not None else ""),
            measured={"tools": (float(len(listed)), "tools")},
        )

    def _failed(
        self, findings: Sequence[Finding], listed: int, *, question: bool = False
    ) -> CheckResult:
        measured: Measured = {"tools": (float(listed), "tools")}
        return failed(
            self,
            findings[0].claim,
            findings=findings[:3],
            measured=measured,
            question=question,
        )


def _declared(evidence: Evidence) -> list[str] | None:
    block = evidence.manifest.validation
    capabilities = block.capabilities if block else None
    if capabilities is None or "declared_tools" not in capabilities.model_fields_set:
        return None
    return capabilities.declared_tools


def _paged(evidence: Evidence) -> bool:
    documents = [evidence.about.documents.get(key) for key in ("/mcp", "mcp frame")]
    results = [body.get("result") for body in documents if isinstance(body, dict)]
    return any(isinstance(result, dict) and result.get("nextCursor") for result in results)


def _wrong_names(listed: Sequence[str], declared: Sequence[str] | None) -> Iterator[Finding]:
    if twice := [name for name, times in Counter(listed).items() if times > 1]:
        yield _finding("a tool is listed twice", _many(twice), "each name once")
    if reserved := sorted(RESERVED & set(listed)):
        yield _finding(
            "a tool bears a name of the protocol", _many(reserved), "names of the environment's own"
        )
    if declared is not None and (extra := sorted(set(listed) - set(declared))):
        yield _finding("tools are listed that are not declared", _many(extra), _many(declared))
    if declared is not None and (lost := sorted(set(declared) - set(listed))):
        yield _finding("declared tools are not listed", f"no {_many(lost)}", _many(declared))


def _not_there(evidence: Evidence, listed: set[str]) -> Iterator[Finding]:
    """Yield the first listed tool that the server says it does not have."""
    rows = [row for row in evidence.table.originals(evidence.probes("blind")) if row.answered]
    for row in rows[:MOST_EPISODES]:
        sent: Any = None
        for frame in evidence.table.frames(row):
            if frame.way == "sent":
                sent = json.loads(frame.text).get("data")
            elif (
                isinstance(sent, dict) and sent.get("tool_name") in listed and _unknown(frame.text)
            ):
                yield _finding(
                    "a listed tool is not there",
                    f"{sent['tool_name']} is called and not found",
                    "every listed tool can be called",
                    where=f"episode {row.key.path}",
                )
                return


def _unknown(text: str) -> bool:
    """Say whether an answer is the stock server's word for a tool that it does not know."""
    if "tool_not_found" not in text:
        return False
    reading = read(text)
    seen: Json = reading.observation if isinstance(reading, Observed) else None
    error = seen.get("error") if isinstance(seen, dict) else None
    return isinstance(error, dict) and error.get("error_type") == "tool_not_found"


def _changed(evidence: Evidence, listed: set[str]) -> Finding | None:
    record = evidence.drills.get(Looking.name)
    listings: Any = record.facts.get("listings", ()) if record else ()
    for number, names in enumerate(listings):
        if names is not None and set(names) != listed:
            return _finding(
                "the list of tools changes within an episode",
                _many(sorted(set(names) ^ listed)) + " on one of the lists only",
                "the same list before reset, after it, and at each step",
                where=f"exercise looking, listing {number + 1}",
            )
    return None


def _many(names: Sequence[str]) -> str:
    shown = ", ".join(names[:8]) or "none"
    return shown if len(names) <= 8 else f"{shown} and {len(names) - 8} more"


def _finding(claim: str, saw: str, expected: str, where: str = "the list of tools") -> Finding:
    return Finding(
        claim=claim,
        saw=saw,
        expected=expected,
        where=where,
        reproduce='send {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}} to /mcp',
        do="List the tools that an agent can call, and declare the same names in "
        "`validation.capabilities.declared_tools`.",
    )
