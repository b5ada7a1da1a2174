"""From what a lane offers to the space of its actions: a schema, or calls of listed tools."""

from probes.actions.schema import checked, read_schema, read_together
from probes.actions.space import Choice, Field, Object, Space, Union
from probes.base import Json, Lane, Unplayable

MOST_TOOLS = 200


def space_of(lane: Lane) -> Space:
    """Return the legal actions of a lane.

    Where the action is a tool call and tools are listed, each tool is one option, with its own
    input schema as the arguments.

    Raises:
        Unplayable: nothing is legal, or nothing is said of what is.
    """
    if lane.tools and _takes_calls(lane.action_schema):
        return _calls(lane)
    if lane.action_schema is None:
        raise Unplayable("the server publishes no action schema and lists no tools")
    return read_schema(lane.action_schema)


def _takes_calls(schema: Json) -> bool:
    if not isinstance(schema, dict):
        return True
    members = schema.get("properties")
    return isinstance(members, dict) and (not members or "tool_name" in members)


def _calls(lane: Lane) -> Space:
    tools = [
        (str(tool["name"]), tool.get("input_schema"))
        for tool in (lane.tools or ())[:MOST_TOOLS]
        if isinstance(tool.get("name"), str)
    ]
    nothing: Json = {"type": "object"}
    schemas = [schema if isinstance(schema, dict) else nothing for _, schema in tools]
    roots, named, unread = read_together(schemas)
    options = tuple(
        Object(
            fields=(
                Field(name="type", node=Choice(("call_tool",)), required=True),
                Field(name="tool_name", node=Choice((name,)), required=True),
                Field(name="arguments", node=root, required=True),
            ),
            rest=Union(options=()),
        )
        for (name, _), root in zip(tools, roots, strict=True)
    )
    return checked(Space(root=Union(options=options), named=named, unread=unread))
