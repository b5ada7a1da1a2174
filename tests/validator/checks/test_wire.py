"""Checks of the wire: what bad input, reading and promises come to, a fault and its twin each."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from probes.base import Lane, Rung, Seen
from tests.validator.judging import answer, decided, judge
from tests.validator.memory import OBSERVATION, Guess, MemoryTarget, World, observation
from tests.validator.probes import Dice, Steady
from validator.again import episodes_named, play_again
from validator.checks.episode.failure_accounting import FailureAccounting
from validator.checks.runtime.startup import Startup
from validator.checks.statistical.training_signal import TrainingSignal
from validator.checks.wire.error_contract import ErrorContract
from validator.client.frames import Json
from validator.manifest import parse_manifest
from validator.table import EpisodeTable
from validator.targets.base import Tool

HEALTHY = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}


class Leaves(Guess):
    """Ends the session on a move that it does not know."""

    def step(self, action: Any) -> dict[str, Any]:
        if not isinstance(action.get("move"), int):
            raise SystemExit
        return super().step(action)


class Sticks(Guess):
    """Never works again in a session that has sent nonsense."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        if getattr(self, "_stuck", False):
            raise ValueError("the engine is stuck")
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        self._stuck = getattr(self, "_stuck", False) or not isinstance(action.get("move"), int)
        if self._stuck:
            raise ValueError("the engine is stuck")
        return super().step(action)


class Lenient(Guess):
    """Takes any move for the first."""

    def step(self, action: Any) -> dict[str, Any]:
        move = action.get("move")
        return super().step({"move": move if move in (0, 1, 2) else 0})


class Tells(Lenient):
    """Takes any move for the first, and says that it was wrong."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        legal = action.get("move") in (0, 1, 2)
        found["observation"] |= {"note": "" if legal else "Invalid move"}
        return found


INPUTS: list[tuple[type[World], str, bool]] = [
    (Guess, "pass", False),
    (Leaves, "fail", False),
    (Sticks, "fail", False),
    (Lenient, "fail", True),
    (Tells, "pass", False),
]


@pytest.mark.parametrize(("world", "status", "question"), INPUTS)
def test_bad_input_gets_an_error_and_the_session_lives(
    tmp_path: Path, world: Callable[[], World], status: str, question: bool
) -> None:
    target = MemoryTarget(world, checks_actions=world is Guess)
    found = decided("wire.error_contract", target, tmp_path, declared=HEALTHY)
    assert (found.status, found.question) == (status, question), found.reason
    assert bool(found.findings) == (status == "fail")


def test_the_message_that_ended_the_session_is_named(tmp_path: Path) -> None:
    target = MemoryTarget(Leaves, checks_actions=False)
    found = decided("wire.error_contract", target, tmp_path, declared=HEALTHY)
    assert found.reason == "2 malformed messages end the session"
    assert '{"type": "step", "data": {}}' in found.findings[0].reproduce


class Bounds(Guess):
    """Takes any number, and its process does not live on after a large one."""

    target: ClassVar[MemoryTarget]

    def step(self, action: Any) -> dict[str, Any]:
        if action["move"] > 1000:
            self.target.die_after = 0
            raise SystemExit
        return super().step(action)


def test_a_legal_action_that_brings_the_server_down_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("validator.drills.base.REVIVAL_PAUSES", (0.0, 0.01))
    numbers: Json = {"type": "object", "properties": {"move": {"type": "integer"}}}
    target = MemoryTarget(Bounds)
    target.about = replace(target.about, action_schema=numbers)
    Bounds.target = target
    checks = (Startup(), ErrorContract(), FailureAccounting())
    report = judge(target, tmp_path, checks=checks, declared=HEALTHY)
    found = answer(report, "wire.error_contract")
    assert (found.status, found.question) == ("fail", False), found.reason
    (finding,) = found.findings
    assert finding.where == "exercise provocations"
    assert finding.reproduce.endswith('{"type": "step", "data": {"move": 100000}}')
    startup = answer(report, "runtime.startup")
    assert (startup.status, startup.findings) == ("fail", [finding])
    assert report.verdict.status == "fail"
    assert answer(report, "episode.failure_accounting").status == "skip"


class Reckless(Dice):
    """Plays what no server outlives in every third step."""

    name = "reckless"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Any:
        return self

    def act(self, seen: Seen) -> Json:
        return {"move": 5000 if seen.step == 2 else 0}


def test_the_episode_that_brought_the_server_down_is_named_and_does_so_again(
    tmp_path: Path,
) -> None:
    target = MemoryTarget(Bounds)
    target.about = replace(target.about, action_schema={"properties": {"move": {}}})
    Bounds.target = target
    report = judge(
        target,
        tmp_path,
        checks=(Startup(), TrainingSignal()),
        declared=HEALTHY,
        probes=(Steady(), Dice(), Reckless()),
    )
    (finding,) = answer(report, "runtime.startup").findings
    assert finding.reproduce.endswith('{"type": "step", "data": {"move": 5000}}')
    table = EpisodeTable.of(tmp_path / "run" / "episodes")
    rows = episodes_named(finding.where, table)
    assert {row.key.probe for row in rows} == {"reckless"}
    target.die_after = None
    (once_more,) = asyncio.run(play_again(target, table, rows[:1]))
    assert once_more.broke_again
    assert target.die_after == 0


class Runs(World):
    """Runs what it is told to, and ends with it where that exits."""

    field: ClassVar[str] = "code"
    caught: ClassVar[tuple[type[BaseException], ...]] = (Exception,)

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return observation("Write a program.")

    def step(self, action: Any) -> dict[str, Any]:
        try:
            if "exit" in action[self.field].lower():
                raise SystemExit
        except self.caught:
            return observation("it has ended itself", reward=0.0, done=True)
        return observation("it has run", reward=0.0, done=True)


class Catches(Runs):
    """Tells that a program has ended itself."""

    caught = (Exception, SystemExit)


class Hangs(Runs):
    """Takes no code: `exit()` is a word that it knows, and hangs up on."""

    field = "word"


class HangsUp(Runs):
    """Ends the session on any program."""

    def step(self, action: Any) -> dict[str, Any]:
        raise SystemExit


@pytest.mark.parametrize(
    ("world", "claims"),
    [(Runs, 1), (Catches, 0), (Hangs, 0), (HangsUp, 0)],
)
def test_code_that_exits_is_answered_like_other_code(
    tmp_path: Path, world: type[Runs], claims: int
) -> None:
    about: Json = {"properties": {world.field: {"type": "string"}}, "required": [world.field]}
    target = MemoryTarget(world, checks_actions=True)
    target.about = replace(target.about, action_schema=about)
    report = judge(
        target,
        tmp_path,
        checks=(Startup(), ErrorContract()),
        declared={"horizon": 1},
        probes=(Writes(world.field),),
    )
    found = answer(report, "wire.error_contract")
    exits = [one for one in found.findings if one.claim == "code that exits ends the session"]
    assert len(exits) == claims, found.reason
    if exits:
        assert (found.status, found.question) == ("fail", False)
        assert exits[0].reproduce.endswith('then step {"code": "exit()"}')


class Writes(Steady):
    """Writes one word for ever."""

    rung: Rung = "blind"

    def __init__(self, place: str) -> None:
        self.place = place

    def act(self, seen: Seen) -> Json:
        return {self.place: "pass"}


class Nameless(Guess):
    """Names its episodes as it likes."""

    def state(self) -> dict[str, Any]:
        return {"episode_id": "mine"}


class Uncounted(Guess):
    """Keeps the step count of the session."""

    total = 0

    def step(self, action: Any) -> dict[str, Any]:
        self.total += 1
        return super().step(action)

    def state(self) -> dict[str, Any]:
        return {"step_count": self.total}


class Textual(Guess):
    """Counts in text."""

    def state(self) -> dict[str, Any]:
        return {"step_count": "0"}


class Private(Guess):
    """Has a state that cannot be read."""

    def state(self) -> dict[str, Any]:
        raise ValueError("no state")


STATES: list[tuple[type[World], str]] = [
    (Guess, "3 states"),
    (Nameless, "the state does not name the episode that was asked for"),
    (Uncounted, "the step count does not follow the steps"),
    (Textual, "the state has no step count that is an integer"),
    (Private, "the state cannot be read"),
]


@pytest.mark.parametrize(("world", "reason"), STATES)
def test_the_state_names_the_episode_and_counts_its_steps(
    tmp_path: Path, world: Callable[[], World], reason: str
) -> None:
    found = decided("runtime.state_contract", world, tmp_path, declared=HEALTHY)
    if world is Guess:
        assert found.status == "pass", found.reason
        assert int(found.measured["states"].estimate or 0) > 6
    else:
        assert (found.status, found.reason) == ("fail", reason)


class Watched(Guess):
    """Counts a look at the state as a try."""

    def state(self) -> dict[str, Any]:
        self._tries = min(getattr(self, "_tries", 0) + 1, 2)
        return {}


class Early(Guess):
    """Begins otherwise where the state was read before the reset."""

    _looked = False

    def state(self) -> dict[str, Any]:
        self._looked = self._looked or not hasattr(self, "_secret")
        return {}

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"]["tries"] += self._looked
        return found


@pytest.mark.parametrize(
    ("world", "status"), [(Guess, "pass"), (Watched, "fail"), (Early, "fail"), (Nameless, "pass")]
)
def test_reading_the_state_leaves_an_episode_as_it_is(
    tmp_path: Path, world: Callable[[], World], status: str
) -> None:
    found = decided("wire.state_purity", world, tmp_path, declared=HEALTHY)
    assert found.status == status, found.reason


class Lost(Guess):
    """Does not send what the schema requires."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"observation": {"trials": found["observation"]["tries"]}}


class Text(Guess):
    """Sends a text for a number after a step."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"observation": {"tries": str(found["observation"]["tries"])}}


class Unsteady(Guess):
    """Sends a field that no schema names, with one type and another."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["observation"]["hint"] = "one" if self._tries == 1 else [1]
        return found


class Hints(Guess):
    """Sends a field that no schema names now and then, or null."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        if self._tries > 1:
            found["observation"]["hint"] = "one" if self._tries == 2 else None
        return found


FIELDS: list[tuple[type[World], str, bool, str]] = [
    (Guess, "pass", False, "pass"),
    (Lost, "fail", False, "fail"),
    (Text, "fail", False, "fail"),
    (Unsteady, "fail", True, "pass"),
    (Hints, "pass", False, "pass"),
]


@pytest.mark.parametrize(("world", "delivery", "question", "schema"), FIELDS)
def test_promised_fields_arrive_with_their_types(
    tmp_path: Path, world: Callable[[], World], delivery: str, question: bool, schema: str
) -> None:
    found = decided("wire.delivery", world, tmp_path / "a", declared=HEALTHY)
    assert (found.status, found.question) == (delivery, question), found.reason
    held = decided("runtime.observation_schema", world, tmp_path / "b", declared=HEALTHY)
    assert held.status == schema, held.reason


SCHEMAS: list[tuple[Any, str, str]] = [
    (None, "skip", "no schema is served"),
    ({"$ref": "http://127.0.0.1:9/schema.json"}, "skip", "refers to another document"),
    ({"$ref": "#"}, "skip", "leads nowhere"),
    ({"$ref": "#/$defs/none"}, "skip", "leads nowhere"),
    ({"type": 7}, "skip", "no JSON Schema"),
    (["no", "schema"], "skip", "no JSON object"),
    ({"properties": {"tries": {"pattern": "(a+)+$", "type": "integer"}}}, "pass", "observations"),
    ({"properties": {"tries": {"maximum": 2}}}, "fail", "3 is greater than the maximum of 2"),
    ({"properties": {"reward": {"type": "string"}}}, "fail", "is not of type 'string'"),
]


@pytest.mark.parametrize(("schema", "status", "reason"), SCHEMAS)
def test_a_strangers_schema_is_used_within_bounds(
    tmp_path: Path, schema: Any, status: str, reason: str
) -> None:
    target = MemoryTarget(Guess)
    target.about = replace(target.about, observation_schema=schema)
    found = decided("runtime.observation_schema", target, tmp_path, declared=HEALTHY)
    assert found.status == status, found.reason
    assert reason in found.reason


class Shop(Guess):
    """Lists two tools."""

    listed: tuple[str, ...] = ("get", "put")

    def mcp(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"result": {"tools": [{"name": name} for name in self.listed]}}


class LateShop(Shop):
    """Lists one more once an episode has begun."""

    def mcp(self, request: dict[str, Any]) -> dict[str, Any]:
        self.listed = ("get", "put", "sell") if hasattr(self, "_secret") else ("get", "put")
        return super().mcp(request)


TOOLS: list[tuple[type[World], tuple[str, ...], list[str] | None, str, bool]] = [
    (Shop, ("get", "put"), None, "pass", False),
    (Shop, ("get", "put"), ["put", "get"], "pass", False),
    (Shop, ("get", "put"), ["get"], "fail", False),
    (Shop, ("get", "put"), ["get", "put", "sell"], "fail", False),
    (Shop, ("get", "put"), [], "fail", False),
    (Shop, ("get", "get"), None, "fail", False),
    (Shop, ("get", "reset"), None, "fail", False),
    (LateShop, ("get", "put"), None, "fail", True),
    (LateShop, ("get", "put"), ["get", "put"], "fail", False),
    (Guess, (), None, "pass", False),
    (Guess, (), [], "pass", False),
    (Guess, (), ["get"], "fail", False),
]


@pytest.mark.parametrize(("world", "tools", "declared", "status", "question"), TOOLS)
def test_the_tools_listed_are_the_tools_declared(
    tmp_path: Path,
    world: Callable[[], World],
    tools: tuple[str, ...],
    declared: list[str] | None,
    status: str,
    question: bool,
) -> None:
    target = MemoryTarget(world)
    named = tuple(Tool(name=name, description="", input_schema=None) for name in tools)
    target.about = replace(target.about, tools=named or None)
    block = {} if declared is None else {"capabilities": {"declared_tools": declared}}
    manifest = parse_manifest({"envassay": HEALTHY, "validation": block}, where="test")
    found = decided("runtime.tool_declaration_accuracy", target, tmp_path, manifest=manifest)
    assert (found.status, found.question) == (status, question), found.reason


class Desk(Guess):
    """Returns at reset what is not what a step returns."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        super().reset(data)
        return observation({"wish": "a room"})


WISH: dict[str, Any] = {"type": "object", "properties": {}, "required": ["wish"]}
WISHES: dict[str, Any] = WISH | {"required": ["wishes"]}


@pytest.mark.parametrize(
    ("reset", "tools", "status"),
    [
        (None, True, "pass"),
        (None, False, "fail"),
        (OBSERVATION, True, "pass"),
        (OBSERVATION, False, "fail"),
        (WISH, True, "pass"),
        (WISH, False, "pass"),
        (WISHES, True, "fail"),
        (WISHES, False, "fail"),
    ],
)
def test_what_reset_returns_is_held_to_a_schema_of_its_own(
    tmp_path: Path, reset: Any, tools: bool, status: str
) -> None:
    target = MemoryTarget(Desk)
    target.about = replace(
        target.about,
        documents={"/schema": {"observation": OBSERVATION, "reset_observation": reset}},
        tools=(Tool(name="book", description="", input_schema=None),) if tools else None,
    )
    for check in ("wire.delivery", "runtime.observation_schema"):
        found = decided(check, target, tmp_path / check, declared=HEALTHY)
        assert found.status == status, found.reason
