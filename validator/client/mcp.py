"""Lists the tools of a tool environment, over either channel.

What openenv servers speak at `/mcp` and in frames of type mcp is JSON-RPC with the methods of
the Model Context Protocol for tools, and no more of that protocol: no initialisation, no
notifications. Servers differ in the key of a tool's schema.
"""

from collections.abc import Mapping

from validator.client.frames import Json
from validator.targets.base import Tool

LIST_TOOLS: Mapping[str, Json] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/list",
    "params": {},
}
_SCHEMA_KEYS = ("inputSchema", "input_schema")
MOST_TOOLS = 1000


def read_tools(body: Json) -> tuple[Tool, ...] | None:
    """Return the tools of a JSON-RPC answer, None where it lists none at all.

    An entry without a name is no tool and is left out; the raw answer stays in the documents.
    """
    result = body.get("result") if isinstance(body, dict) else None
    listed = result.get("tools") if isinstance(result, dict) else None
    if not isinstance(listed, list):
        return None
    tools = (_tool(entry) for entry in listed[:MOST_TOOLS])
    return tuple(tool for tool in tools if tool is not None)


def _tool(entry: Json) -> Tool | None:
    if not isinstance(entry, dict):
        return None
    name, description = entry.get("name"), entry.get("description")
    if not isinstance(name, str) or not name:
        return None
    schemas = [entry[key] for key in _SCHEMA_KEYS if isinstance(entry.get(key), dict)]
    return Tool(
        name=name,
        description=description if isinstance(description, str) else "",
        input_schema=schemas[0] if schemas else None,
    )
