"""Tool calls are built where the action is a tool call, in the words of its own schema."""

from typing import Any

import numpy as np
import pytest

from probes.actions.offer import space_of
from probes.actions.sample import sample
from probes.base import Json, Lane, Unplayable

TOOLS: tuple[dict[str, Json], ...] = (
    {
        "name": "add",
        "description": "",
        "input_schema": {
            "$defs": {"digit": {"enum": [1, 2]}},
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/digit"}},
            "required": ["a"],
        },
    },
    {"name": "stop", "description": "", "input_schema": None},
)
CALL: dict[str, Json] = {
    "type": "object",
    "properties": {
        "type": {"const": "call_tool", "type": "string"},
        "tool_name": {"type": "string"},
        "arguments": {"type": "object"},
        "metadata": {"type": "object"},
    },
    "required": ["tool_name"],
}


def drawn(schema: Json, tools: Any = TOOLS) -> list[Any]:
    space = space_of(Lane(action_schema=schema, tools=tools))
    rng = np.random.default_rng(0)
    return [sample(space, rng) for _ in range(50)]


@pytest.mark.parametrize(
    "schema",
    [
        CALL,
        None,
        {"type": "object", "properties": {"metadata": {"type": "object"}}},
        {
            "oneOf": [{"$ref": "#/$defs/List"}, {"$ref": "#/$defs/Call"}],
            "$defs": {
                "List": {"type": "object", "properties": {"type": {"const": "list_tools"}}},
                "Call": CALL,
            },
        },
    ],
    ids=["call", "none", "base class", "union"],
)
def test_the_stock_tool_call(schema: Json) -> None:
    actions = drawn(schema)
    assert {action["tool_name"] for action in actions} == {"add", "stop"}
    for action in actions:
        assert action["type"] == "call_tool"
        assert "metadata" not in action
        expected = ({"a": 1}, {"a": 2}) if action["tool_name"] == "add" else ({},)
        assert action["arguments"] in expected


def test_a_call_in_the_words_of_another_schema() -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "action_type": {"enum": ["ListToolsAction", "ToolCallAction"]},
            "tool_name": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "arguments": {"anyOf": [{"type": "object"}, {"type": "null"}]},
            "reason": {"const": "none given"},
        },
        "required": ["action_type", "reason"],
    }
    for action in drawn(schema):
        assert set(action) == {"action_type", "tool_name", "arguments", "reason"}
        assert action["action_type"] == "ToolCallAction"
        assert action["tool_name"] in ("add", "stop")


def test_tools_beside_an_action_of_another_kind_are_left_alone() -> None:
    schema: Json = {
        "type": "object",
        "properties": {"move": {"enum": ["up"]}},
        "required": ["move"],
    }
    assert drawn(schema) == [{"move": "up"}] * 50


@pytest.mark.parametrize("tools", [None, ()])
def test_nothing_is_offered_where_nothing_is_said(tools: Any) -> None:
    with pytest.raises(Unplayable, match="no action schema and lists no tools"):
        space_of(Lane(action_schema=None, tools=tools))


def test_tools_that_are_none_are_left_out() -> None:
    hostile = ({"name": 3}, {"name": None, "input_schema": []}, *TOOLS)
    assert {action["tool_name"] for action in drawn(CALL, hostile)} == {"add", "stop"}
