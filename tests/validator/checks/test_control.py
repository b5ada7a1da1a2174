"""What an action may reach: resets, seeds, the environment; a fault and its twin each."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import decided
from tests.validator.memory import Guess, MemoryTarget, World, observation
from validator.client.frames import Json
from validator.targets.base import Tool

HEALTHY = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}
MOVE: dict[str, Json] = {"move": {"enum": [0, 1, 2]}}


def acting(world: Callable[[], World], properties: dict[str, Json]) -> MemoryTarget:
    """Return a target whose actions may have other fields than the move."""
    target = MemoryTarget(world)
    schema: Json = {"type": "object", "properties": MOVE | properties, "required": ["move"]}
    target.about = replace(target.about, action_schema=schema)
    return target


class Seeding(Guess):
    """Takes a seed from an action."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._floor = random.Random(data["seed"]).randrange(1000)
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        if action.get("seed") is not None:
            tries = self._tries
            self.reset({"seed": action["seed"]})
            self._tries = tries
        found = super().step(action)
        found["observation"]["floor"] = self._floor
        return found


class Echoing(Seeding):
    """Shows the number that it was given, and begins nothing with it."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step({"move": action["move"]})
        found["observation"]["seed"] = action.get("seed")
        return found


class Runs(Guess):
    """Runs code of the agent, here and now."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        try:
            told = str(eval(action.get("code", "None"), {}))
        except Exception as fault:
            told = str(fault)
        found["observation"]["told"] = told
        return found


class Environment:
    """What stands for an environment object of the stock server in this process."""

    __module__ = "openenv.core"


ALIVE = Environment()


class Repeats(Guess):
    """Says what it was given to run."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["observation"]["told"] = action.get("code", "")
        return found


NUMBER: dict[str, Json] = {"seed": {"type": "integer"}}
CODE: dict[str, Json] = {"code": {"type": "string"}}


@pytest.mark.parametrize(
    ("world", "properties", "claim"),
    [
        (Seeding, NUMBER, "the agent chooses its start"),
        (Echoing, NUMBER, ""),
        (Runs, CODE, "code of the agent runs beside the environment"),
        (Repeats, CODE, ""),
        (Guess, {}, ""),
    ],
)
def test_an_action_neither_begins_nor_reaches(
    tmp_path: Path, world: Callable[[], World], properties: dict[str, Json], claim: str
) -> None:
    target = acting(world, properties)
    found = decided("wire.control_boundary", target, tmp_path, declared=HEALTHY)
    assert found.status == ("fail" if claim else "pass"), found.reason
    assert [finding.claim for finding in found.findings] == ([claim] if claim else [])


class Restarts(Guess):
    """Begins another episode on the second move, whatever it is."""

    count = 0

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        self.count += self._tries == 2
        return found

    def state(self) -> dict[str, Any]:
        return {"episode_id": f"episode {self.count}"} if self.count else {}


class Undoes(Guess):
    """Takes back the first move, whatever the second one is."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        if found["observation"]["tries"] == 2:
            found["observation"]["tries"] = 0
        return found


@pytest.mark.parametrize(("world", "status"), [(Restarts, "fail"), (Undoes, "pass")])
def test_an_action_does_not_begin_an_episode(
    tmp_path: Path, world: Callable[[], World], status: str
) -> None:
    found = decided("wire.control_boundary", world, tmp_path, declared=HEALTHY)
    assert found.status == status, found.reason


class Desk(Guess):
    """Is played by calling tools."""

    def __init__(self) -> None:
        self.began = 0

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._number = random.Random(data["seed"]).randrange(10**6)
        super().reset(data)
        return observation({"tries": 0, "wish": f"guest number {self._number}"})

    def step(self, action: Any) -> dict[str, Any]:
        told = self.use(action.get("tool_name"), action.get("arguments", {}))
        found = super().step({"move": 0})
        found["observation"]["result"] = told
        return found

    def use(self, tool: str, arguments: dict[str, Any]) -> str:
        return "done"


class Tidies(Desk):
    """Has a tool that resets."""

    def use(self, tool: str, arguments: dict[str, Any]) -> str:
        self.began += tool == "tidy"
        return "done"

    def state(self) -> dict[str, Any]:
        return {"episode_id": f"e{self.began}"} if self.began else {}


class NextGuest(Desk):
    """Has a tool that serves the guest of a number."""

    def use(self, tool: str, arguments: dict[str, Any]) -> str:
        if tool == "guest":
            return str(self.reset({"seed": arguments["number"]})["observation"]["wish"])
        return "done"


class Catalogue(Desk):
    """Has a tool that reads the entry of a number."""

    def use(self, tool: str, arguments: dict[str, Any]) -> str:
        return f"guest number {arguments.get('number')} is a regular"


@pytest.mark.parametrize(
    ("world", "status"),
    [(Desk, "pass"), (Tidies, "fail"), (NextGuest, "fail"), (Catalogue, "pass")],
)
def test_a_tool_neither_resets_nor_picks_the_start(
    tmp_path: Path, world: Callable[[], World], status: str
) -> None:
    target = MemoryTarget(world, checks_actions=False)
    calls: Json = {
        "type": "object",
        "properties": {"tool_name": {"type": "string"}, "arguments": {"type": "object"}},
    }
    number: Json = {
        "type": "object",
        "properties": {"number": {"type": "integer"}},
        "required": ["number"],
    }
    tools = (
        Tool(name="tidy", description="", input_schema={"type": "object"}),
        Tool(name="guest", description="", input_schema=number),
    )
    target.about = replace(target.about, action_schema=calls, tools=tools)
    found = decided("wire.control_boundary", target, tmp_path, declared=HEALTHY)
    assert found.status == status, found.reason
