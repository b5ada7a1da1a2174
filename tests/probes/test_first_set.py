"""The null and the blind family on the schemas that real servers publish."""

from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane, Probe, Seen, Unplayable
from probes.blind.sticky import Sticky
from probes.blind.uniform import Uniform
from probes.blind.words import Words
from probes.null.constant import Constant
from probes.null.empty import Empty
from probes.null.minimal import Minimal
from probes.null.noop import Noop
from probes.null.repeat import Repeat

TEXT: Json = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
}
MOVE: Json = {
    "type": "object",
    "properties": {
        "metadata": {"type": "object"},
        "direction": {"enum": ["up", "down", "Stay"], "type": "string"},
    },
    "required": ["direction"],
}
CALL: Json = {
    "type": "object",
    "properties": {
        "type": {"const": "call_tool", "default": "call_tool"},
        "tool_name": {"type": "string"},
        "arguments": {"type": "object"},
    },
    "required": ["tool_name"],
}
TOOLS: tuple[dict[str, Json], ...] = (
    {
        "name": "connect",
        "description": "",
        "input_schema": {
            "type": "object",
            "properties": {"line": {"enum": ["1", "2"]}},
            "required": ["line"],
        },
    },
    {"name": "finish", "description": "", "input_schema": {"type": "object", "properties": {}}},
)
PROBES: list[Probe] = [
    Noop(), Empty(), Constant(), Repeat(), Minimal(), Uniform(), Sticky(), Words(),
]  # fmt: skip
WITHOUT_WORDS = [probe for probe in PROBES if probe.name != "words"]


def lane(schema: Json, *, tools: Any = None, noop: Json = None) -> Lane:
    return Lane(action_schema=schema, tools=tools, noop=noop)


def play(
    probe: Probe, where: Lane, seed: int, *, steps: int = 8, error: str | None = None
) -> list[Json]:
    agent = probe.begin(where, np.random.default_rng(seed))
    return [
        agent.act(Seen(observation={"text": "say 'hi'"}, step=step, error=error if step else None))
        for step in range(steps)
    ]


@pytest.mark.parametrize("probe", WITHOUT_WORDS, ids=lambda probe: probe.name)
@pytest.mark.parametrize("schema", [TEXT, MOVE], ids=["text", "move"])
def test_the_same_seed_plays_the_same_episode(probe: Probe, schema: Json) -> None:
    assert play(probe, lane(schema), 3) == play(probe, lane(schema), 3)


def test_random_plays_everything_that_is_legal() -> None:
    played = play(Uniform(), lane(MOVE), 0, steps=100)
    assert {a["direction"] for a in played if isinstance(a, dict)} == {"up", "down", "Stay"}


def test_constant_repeats_its_action_and_draws_another_each_episode() -> None:
    episodes = [play(Constant(), lane(MOVE), seed) for seed in range(20)]
    assert all(episode == [episode[0]] * 8 for episode in episodes)
    assert len({str(episode[0]) for episode in episodes}) == 3


def test_constant_changes_its_action_only_while_it_is_refused() -> None:
    played = play(Constant(), lane(TEXT), 0, steps=30, error="no")
    assert len({str(action) for action in played}) > 1


def test_noop_prefers_what_is_declared_then_what_its_name_says_then_the_least() -> None:
    assert play(Noop(), lane(MOVE, noop={"direction": "down"}), 0)[0] == {"direction": "down"}
    assert play(Noop(), lane(MOVE), 0) == [{"direction": "Stay"}] * 8
    assert play(Noop(), lane(TEXT), 0) == [{"answer": ""}] * 8


def test_tool_calls_are_built_from_the_listed_tools() -> None:
    played = play(Uniform(), lane(CALL, tools=TOOLS), 0, steps=60)
    connect = {"type": "call_tool", "tool_name": "connect"}
    expected = [
        connect | {"arguments": {"line": "1"}},
        connect | {"arguments": {"line": "2"}},
        {"type": "call_tool", "tool_name": "finish", "arguments": {}},
    ]
    assert all(action in played for action in expected)
    named = [a["tool_name"] for a in played if isinstance(a, dict)]
    assert set(named) == {"connect", "finish"}


def test_tools_beside_an_action_of_another_kind_are_not_called() -> None:
    played = play(Uniform(), lane(MOVE, tools=TOOLS), 0)
    assert all(isinstance(a, dict) and "direction" in a for a in played)


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
@pytest.mark.parametrize("schema", [None, {"enum": []}, {"$ref": "#"}])
def test_nothing_to_offer_is_said(probe: Probe, schema: Json) -> None:
    with pytest.raises(Unplayable):
        probe.begin(lane(schema), np.random.default_rng(0)).act(Seen(observation=None, step=0))


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_probes_are_registered_under_their_names(probe: Probe) -> None:
    from validator.plugins import Registry

    assert type(Registry("probe").get(probe.name).make()) is type(probe)
    assert probe.version
