"""The action that does nothing is found by its name, wherever it stands."""

from typing import Any

import pytest

from probes.actions.idle import idle_action
from probes.actions.offer import space_of
from probes.actions.schema import read_schema
from probes.base import Json, Lane


def record(**members: Any) -> Json:
    return {"type": "object", "properties": members, "required": list(members)}


def tool(name: str, **arguments: Any) -> dict[str, Json]:
    return {"name": name, "description": "", "input_schema": record(**arguments)}


def call(name: str, **arguments: Any) -> Json:
    return {"type": "call_tool", "tool_name": name, "arguments": arguments}


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "idle"),
    [
        (record(move={"enum": ["up", "Stay", "NO_OP"]}), {"move": "NO_OP"}),
        (record(move={"enum": ["up", "down"]}), {"move": "up"}),
        (record(note=TEXT, move={"enum": ["up", "wait"]}), {"note": "", "move": "wait"}),
        (record(code={"type": "integer", "description": "0=left, 1=noop"}), {"code": 1}),
        (record(code={"enum": [0, 1], "description": "0: left, 1: do nothing"}), {"code": 1}),
        (
            record(kind={"type": "string", "description": "Kind of action: click, fill, noop"}),
            {"kind": "noop"},
        ),
        (record(x={"type": "integer"}, y={"type": "number", "minimum": 2}), {"x": 0, "y": 2}),
        (record(values={"type": "array", "items": {"type": "number"}}), {"values": []}),
        ({"anyOf": [record(say=TEXT), record(act={"const": "pass"})]}, {"act": "pass"}),
    ],
)
def test_by_schema(schema: Json, idle: Json) -> None:
    assert idle_action(read_schema(schema)) == idle


@pytest.mark.parametrize(
    ("tools", "idle"),
    [
        ([tool("write", text=TEXT), tool("wait")], call("wait")),
        ([tool("send", text=TEXT), tool("get_status"), tool("finish")], call("get_status")),
        ([tool("send", text=TEXT), tool("read", path=TEXT)], call("send", text="")),
    ],
)
def test_by_tool(tools: list[dict[str, Json]], idle: Json) -> None:
    assert idle_action(space_of(Lane(action_schema=None, tools=tuple(tools)))) == idle
