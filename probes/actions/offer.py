"""From what a lane offers to the space of its actions: a schema, or calls of listed tools."""

from collections.abc import Iterator

from probes.actions.schema import checked, read_schema, read_together
from probes.actions.space import NEVER, Anything, Choice, Field, Node, Object, Space, Union, resolve
from probes.base import Json, Lane, Unplayable

MOST_TOOLS = 200
TOOL = "tool_name"
ARGUMENTS = frozenset({"arguments", "args", "parameters", "params", "tool_args", "tool_input"})
METADATA = "metadata"
_STOCK = Object(
    fields=(
        Field(name="type", node=Choice(("call_tool",)), required=True),
        Field(name=TOOL, node=NEVER, required=True),
        Field(name="arguments", node=NEVER, required=True),
    ),
    rest=NEVER,
)
"""The tool call of the stock server."""


def space_of(lane: Lane) -> Space:
    """Return the legal actions of a lane.

    Where the action is a tool call and tools are listed, each tool is one option, with its own
    input schema as the arguments. The action is a tool call where its schema has a `tool_name`,
    and where it names nothing but metadata, as the base class of actions does.

    Raises:
        Unplayable: nothing is legal, or nothing is said of what is.
    """
    if lane.action_schema is None and not lane.tools:
        raise Unplayable("the server publishes no action schema and lists no tools")
    if not lane.tools:
        return read_schema(lane.action_schema)
    schema = lane.action_schema
    roots, named, unread = read_together([schema, *(tool for _, tool in _tools(lane))])
    call = _call_in(Space(root=roots[0], named=named))
    if call is None:
        return read_schema(schema)
    options = tuple(
        Object(fields=tuple(_members(call, name, root)), rest=NEVER)
        for (name, _), root in zip(_tools(lane), roots[1:], strict=True)
    )
    return checked(Space(root=Union(options=options), named=named, unread=unread))


def _call_in(space: Space) -> Object | None:
    """Return the object that is a tool call, None where actions are something else."""
    root = resolve(space, space.root)
    if isinstance(root, Anything):
        return _STOCK
    options = root.options if isinstance(root, Union) else (root,)
    objects = [one for one in (resolve(space, o) for o in options) if isinstance(one, Object)]
    for one in objects:
        names = {field.name for field in one.fields}
        if TOOL in names and names & ARGUMENTS:
            return one
    if isinstance(root, Object) and not {one.name for one in root.fields} - {METADATA}:
        return _STOCK
    return None


def _tools(lane: Lane) -> list[tuple[str, Json]]:
    """Return name and input schema of the listed tools."""
    nothing: Json = {"type": "object"}
    found = [(tool.get("name"), tool.get("input_schema")) for tool in (lane.tools or ())]
    return [
        (name, schema if isinstance(schema, dict) else nothing)
        for name, schema in found[:MOST_TOOLS]
        if isinstance(name, str)
    ]


def _members(call: Object, tool: str, arguments: Node) -> Iterator[Field]:
    """Yield the members of a call of one tool: the schema's own, with these two filled in."""
    for one in call.fields:
        if one.name == TOOL:
            yield Field(name=TOOL, node=Choice((tool,)), required=True)
        elif one.name in ARGUMENTS:
            yield Field(name=one.name, node=arguments, required=True)
        elif isinstance(one.node, Choice) and _calling(one.node):
            yield Field(name=one.name, node=_calling(one.node) or one.node, required=True)
        else:
            yield one


def _calling(choice: Choice) -> Choice | None:
    """Return the value that says that this is a call, where one of the values does."""
    found = [one for one in choice.values if isinstance(one, str) and "call" in one.lower()]
    return Choice(tuple(found[:1])) if found else None
