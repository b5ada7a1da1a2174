"""Is what begins an episode out of the agent's reach?"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.client.frames import Frame
from validator.client.reading import StateRead, read
from validator.drills.base import Drill
from validator.drills.code_reach import CodeReach
from validator.drills.picking import Picking
from validator.drills.tool_calls import ToolCalls
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops

State = Mapping[str, Any]


class ControlBoundary:
    """Looks for an agent's action that resets, re-seeds, picks the task, or holds the environment.

    An action that takes the game back to its start is part of the game: only another episode
    id, a step count that falls, and a start that was chosen by the action are beyond the bounds.
    """

    id: ClassVar[str] = "wire.control_boundary"
    title: ClassVar[str] = "Is what begins an episode out of the agent's reach?"
    stops: ClassVar[Stops] = Fault(rate=0.05)
    drills: ClassVar[tuple[type[Drill], ...]] = (ToolCalls, Picking, CodeReach)

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
        watched = [row for row in evidence.table.rows if row.key.condition == "watched"]
        called, chosen, asked = (
            _fact(evidence, drill.name, key)
            for drill, key in ((ToolCalls, "called"), (Picking, "chosen"), (CodeReach, "asked"))
        )
        places = _fact(evidence, Picking.name, "places")
        if not watched and not called and not places and not asked:
            return skipped(self, "no episode was watched", needed="an environment that steps")
        findings = [
            *_restarts(called),
            *_watched_restarts(evidence, watched),
            *(_picked(entry) for entry in chosen),
            *(_reached(entry) for entry in asked if entry["reached"]),
        ]
        tried = len(called) + len(places) + len(asked)
        measured: Measured = {
            "watched": (float(len(watched)), "episodes"),
            "tried": (float(tried), "ways to control"),
        }
        if findings:
            claims = dict.fromkeys(finding.claim for finding in findings)
            return failed(
                self, "; ".join(list(claims)[:3]), findings=findings[:3], measured=measured
            )
        return passed(
            self,
            f"no action of {len(watched)} watched episodes and none of {tried} tries began "
            "an episode or reached the environment",
            measured=measured,
        )


def _fact(evidence: Evidence, drill: str, key: str) -> Sequence[Any]:
    record = evidence.drills.get(drill)
    found: Any = record.facts.get(key, ()) if record else ()
    return list(found)


def _restart(before: State, after: State) -> str:
    """Return what shows that an episode began between two states; nothing where none did."""
    one, other = before.get("episode_id"), after.get("episode_id")
    if one and isinstance(other, str) and other != one:
        return f"episode_id {other!r} after {one!r}"
    few, fewer = before.get("step_count"), after.get("step_count")
    if isinstance(few, int) and isinstance(fewer, int) and fewer < few:
        return f"step_count {fewer} after {few}"
    return ""


def _restarts(called: Sequence[Any]) -> Iterator[Finding]:
    for entry in called:
        states = entry["states"]
        for before, after in zip(states, states[1:], strict=False):
            if saw := _restart(before, after):
                yield _finding(
                    "a tool begins another episode",
                    saw,
                    "the episode that was reset to, until the next reset",
                    f"exercise tool_calls, {entry['tool']}",
                    f"send {json.dumps(entry['action'])[:300]}, and read the state",
                    "Do not call reset from a tool; take back what the game allows, in the "
                    "same episode.",
                )
                break


def _watched_restarts(evidence: Evidence, rows: Sequence[Any]) -> Iterator[Finding]:
    for row in rows:
        states = list(_states(evidence.table.frames(row)))
        for number, (before, after) in enumerate(zip(states, states[1:], strict=False)):
            if saw := _restart(before, after):
                yield _finding(
                    "an action begins another episode",
                    saw,
                    "the episode that was reset to, until the next reset",
                    f"episode {row.key.path}, step {number + 1}",
                    f"play episode {row.key.original.path} and read the state before each step",
                    "Begin an episode in reset, and nowhere else.",
                )
                return


def _states(frames: Sequence[Frame]) -> Iterator[State]:
    asked = False
    for frame in frames:
        if frame.way == "sent":
            asked = frame.text == '{"type": "state"}'
        elif asked:
            reading = read(frame.text)
            state = reading.state if isinstance(reading, StateRead) else None
            yield state if isinstance(state, dict) else {}


def _picked(entry: Mapping[str, Any]) -> Finding:
    return _finding(
        "the agent chooses its start",
        f"with {entry['place']}: {entry['saw']}, as after a reset with that seed",
        "the start that reset chose",
        f"exercise picking, {entry['place']}",
        f"send {entry['action']}, and compare with a reset to that number as seed",
        "Let seed and task come from reset alone.",
    )


def _reached(entry: Mapping[str, Any]) -> Finding:
    return _finding(
        "code of the agent runs beside the environment",
        f"the code finds an object of {entry['reached']}",
        "code that cannot reach the environment, its grader and its reward",
        f"exercise code_reach, {entry['place']}",
        f"send {entry['action']}",
        "Run code of the agent in a process of its own.",
    )


def _finding(claim: str, saw: str, expected: str, where: str, reproduce: str, do: str) -> Finding:
    return Finding(
        claim=claim,
        saw=saw,
        expected=expected,
        where=where,
        reproduce=f"on a new session reset, {reproduce}",
        do=do,
    )
