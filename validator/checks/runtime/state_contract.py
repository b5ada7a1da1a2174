"""Does the state name the episode that was asked for, and count its steps?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.drills.base import Drill
from validator.drills.named_episodes import NamedEpisodes
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class _Breach:
    kind: str
    claim: str
    saw: str
    expected: str
    where: str


class StateContract:
    """RFC 008 #31: `episode_id` as asked for, `step_count` an integer, 0 and then one more a step.

    A step that was refused may count or not. An episode that is over at its reset is left out.
    """

    id: ClassVar[str] = "runtime.state_contract"
    title: ClassVar[str] = "Does the state name the episode and count its steps?"
    drills: ClassVar[tuple[type[Drill], ...]] = (NamedEpisodes,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        record = evidence.drills.get(NamedEpisodes.name)
        facts: Mapping[str, Any] = record.facts if record else {}
        episodes = [e for e in facts.get("episodes", ()) if not e["over_at_reset"]]
        if not episodes:
            why = record.fault if record and record.fault else "no reset was answered"
            return skipped(self, why, needed="an environment that resets")
        read = sum(len(episode["states"]) for episode in episodes)
        measured: Measured = {"states": (float(read), "states read")}
        breaches: dict[str, _Breach] = {}
        for episode in episodes:
            for breach in _breaches(episode):
                breaches.setdefault(breach.kind, breach)
        if not breaches:
            return passed(
                self, f"{read} states name their episode and count its steps", measured=measured
            )
        found = list(breaches.values())
        return failed(
            self,
            "; ".join(breach.claim for breach in found),
            findings=[_finding(breach) for breach in found[:3]],
            measured=measured,
        )


def _breaches(episode: Mapping[str, Any]) -> Iterator[_Breach]:
    states: Sequence[Mapping[str, Any]] = episode["states"]
    for number, state in enumerate(states):
        where = f"exercise named_episodes, episode {episode['named']}, state after {number} steps"
        if "fault" in state:
            yield _Breach(
                kind="fault",
                claim="the state cannot be read",
                saw=state["fault"],
                expected="a frame of type state",
                where=where,
            )
            return
        if state.get("episode_id") != episode["named"]:
            yield _Breach(
                kind="episode_id",
                claim="the state does not name the episode that was asked for",
                saw=_shown(state, "episode_id"),
                expected=f"episode_id {episode['named']!r}",
                where=where,
            )
        count = state.get("step_count")
        if not isinstance(count, int) or isinstance(count, bool):
            yield _Breach(
                kind="step_count",
                claim="the state has no step count that is an integer",
                saw=_shown(state, "step_count"),
                expected="step_count, an integer",
                where=where,
            )
            return
        if number == 0:
            allowed = {0}
        else:
            before = states[number - 1]["step_count"]
            allowed = {before + 1} if episode["answered"][number - 1] else {before, before + 1}
        if count not in allowed:
            yield _Breach(
                kind="counting",
                claim="the step count does not follow the steps",
                saw=f"step_count {count}",
                expected="step_count " + " or ".join(map(str, sorted(allowed))),
                where=where,
            )
            return


def _shown(state: Mapping[str, Any], key: str) -> str:
    return f"{key} {state[key]!r}" if key in state else f"no {key}"


def _finding(breach: _Breach) -> Finding:
    return Finding(
        claim=breach.claim,
        saw=breach.saw,
        expected=breach.expected,
        where=breach.where,
        reproduce='on a new session send {"type": "reset", "data": {"episode_id": "envassay-0"}}, '
        'then {"type": "state"} before and after each step',
        do="Take `episode_id` in reset and keep it in the state; set `step_count` to 0 there and "
        "add 1 in each step.",
    )
