"""The probes on what real servers sent: `lanes/*.json`, recorded over the wire.

Each file holds an action schema, the listed tools, the observation of a reset and of the step
after it, and the error frame that the probes met, where they met one.
"""

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from probes.base import Json, Lane, Probe, Seen
from probes.blind.sticky import Sticky
from probes.blind.uniform import Uniform
from probes.null.constant import Constant
from probes.null.empty import Empty
from probes.null.minimal import Minimal
from probes.null.noop import Noop
from probes.null.repeat import Repeat

LANES = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in sorted((Path(__file__).parent / "lanes").glob("*.json"))
}
PROBES: list[Probe] = [
    Noop(), Empty(), Constant(), Repeat(), Minimal(), Uniform(), Sticky(),
]  # fmt: skip


def play(probe: Probe, name: str, seed: int, steps: int = 40) -> list[Any]:
    """Return the actions of one episode; the recorded error answers the first of them."""
    recorded = LANES[name]
    tools = None if recorded["tools"] is None else tuple(recorded["tools"])
    lane = Lane(action_schema=recorded["action_schema"], tools=tools)
    agent = probe.begin(lane, np.random.default_rng(seed))
    start, later = recorded["observations"]
    actions: list[Json] = []
    for step in range(steps):
        error = recorded["error"] if step == 1 else None
        seen = start if step == 0 or error else later
        actions.append(agent.act(Seen(observation=seen, step=step, error=error)))
    return actions


def check_legal(name: str, action: Any) -> None:
    recorded = LANES[name]
    if recorded["tools"] is None:
        jsonschema.Draft202012Validator(recorded["action_schema"]).validate(action)
        assert "metadata" not in action
        return
    assert set(action) == {"type", "tool_name", "arguments"}
    assert action["type"] == "call_tool"
    inputs = {tool["name"]: tool["input_schema"] for tool in recorded["tools"]}
    jsonschema.Draft202012Validator(inputs[action["tool_name"]]).validate(action["arguments"])


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
@pytest.mark.parametrize("name", LANES)
def test_every_action_is_one_that_the_server_declares_legal(probe: Probe, name: str) -> None:
    for seed in range(3):
        actions = play(probe, name, seed)
        assert actions == play(probe, name, seed)
        for action in actions:
            check_legal(name, action)


@pytest.mark.parametrize(
    ("name", "idle"),
    [
        ("minigrid", {"move": "left"}),
        ("hover", {"thrust": [0.0, 0.0]}),
        ("reasoning_gym", {"answer": ""}),
        ("tic_tac_toe", {"message": ""}),
        ("switchboard", {"type": "call_tool", "tool_name": "show", "arguments": {}}),
        (
            "echo_new",
            {"type": "call_tool", "tool_name": "echo", "arguments": {"message": ""}},
        ),
        (
            "echo_old",
            {"type": "call_tool", "tool_name": "echo", "arguments": {"message": ""}},
        ),
    ],
)
def test_doing_nothing(name: str, idle: Json) -> None:
    assert play(Noop(), name, 0) == [idle] * 40


def test_random_calls_every_tool() -> None:
    called = {action["tool_name"] for action in play(Uniform(), "switchboard", 0, 100)}
    assert called == {tool["name"] for tool in LANES["switchboard"]["tools"]}


def test_random_makes_the_moves_that_a_text_game_lists() -> None:
    said = {action["message"] for action in play(Uniform(), "tic_tac_toe", 0, 400)}
    assert {f"[{square}]" for square in range(9)} <= said


def test_random_answers_with_what_the_member_says() -> None:
    assert {a["answer"] for a in play(Uniform(), "reasoning_gym", 0)} == {"Yes", "No"}


def test_random_guesses_within_the_range_of_the_hint() -> None:
    first = {play(Uniform(), "guess", seed, 1)[0]["number"] for seed in range(100)}
    assert first == set(range(10))


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_an_error_that_names_the_range_is_obeyed_from_then_on(probe: Probe) -> None:
    for seed in range(5):
        first, *others = play(probe, "drop", seed)
        assert first["column"] < 20
        assert all(20 <= action["column"] <= 26 for action in others)


def test_constant_is_constant_once_it_is_legal() -> None:
    _, *others = play(Constant(), "drop", 3)
    assert others == [others[0]] * len(others)
