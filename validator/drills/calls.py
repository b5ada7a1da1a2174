"""Builds tool calls and actions from what a server lists, for exercises."""

import json
from collections.abc import Mapping

from probes.base import Finished, Seen, Unplayable
from validator.client.frames import Json
from validator.drills.base import Ground
from validator.drills.playing import agent_of
from validator.schemas import Shape, names, part, promised_types, read_schema
from validator.targets.base import Tool

_STAND_INS: Mapping[str, Json] = {
    "string": "a",
    "number": 1,
    "boolean": True,
    "array": [],
    "object": {},
}


def takes_calls(ground: Ground) -> bool:
    """Say whether an action is the call of a tool."""
    shape = read_schema(ground.server.about.action_schema)
    return isinstance(shape, Shape) and {"tool_name", "arguments"} <= set(
        names(shape, "properties")
    )


def tools_of(ground: Ground, most: int) -> tuple[Tool, ...]:
    """Return the first tools that can be called by an action; none where actions are no calls."""
    return (ground.server.about.tools or ())[:most] if takes_calls(ground) else ()


def call(tool: Tool, given: Mapping[str, Json]) -> dict[str, Json]:
    """Return the call of a tool with some arguments given and stand-ins for what else it needs."""
    arguments = {name: _stand_in(tool, name) for name in needed(tool)} | dict(given)
    return {"type": "call_tool", "tool_name": tool.name, "arguments": arguments}


def needed(tool: Tool) -> list[str]:
    """Return the arguments that a tool must be given."""
    shape = read_schema(tool.input_schema)
    return names(shape, "required") if isinstance(shape, Shape) else []


def parameters(tool: Tool, kind: str) -> list[str]:
    """Return the arguments of a JSON type that a tool takes; integers are numbers."""
    shape = read_schema(tool.input_schema)
    return _of_type(shape, kind) if isinstance(shape, Shape) else []


def fields(ground: Ground, kind: str) -> list[str]:
    """Return the fields of an action of a JSON type."""
    shape = read_schema(ground.server.about.action_schema)
    return _of_type(shape, kind) if isinstance(shape, Shape) else []


def legal_action(ground: Ground, number: int) -> dict[str, Json] | None:
    """Return an action that a blind agent would take, None where there is none."""
    agent = agent_of(ground, number)
    try:
        action = agent.act(Seen(observation=None, step=0)) if agent else None
    except (Unplayable, Finished):
        return None
    return action if isinstance(action, dict) else None


def shown(value: Json, most: int = 300) -> str:
    """Return a value as JSON, cut short."""
    text = json.dumps(value)
    return text if len(text) <= most else text[:most] + "..."


def _of_type(shape: Shape, kind: str) -> list[str]:
    return [
        name
        for name in names(shape, "properties")
        if (types := promised_types(shape, part(shape, name))) is not None and kind in types
    ]


def _stand_in(tool: Tool, name: str) -> Json:
    shape = read_schema(tool.input_schema)
    if not isinstance(shape, Shape):
        return None
    schema = part(shape, name)
    choices = schema.get("enum") if isinstance(schema, dict) else None
    if isinstance(choices, list) and choices:
        return choices[0]
    types = promised_types(shape, schema)
    return next((_STAND_INS[kind] for kind in sorted(types or ()) if kind in _STAND_INS), "a")
