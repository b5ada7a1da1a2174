"""Reading tool lists, whatever they hold."""

from hypothesis import given
from hypothesis import strategies as st

from validator.client.frames import Json
from validator.client.mcp import read_tools
from validator.targets.base import Tool

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(values)
def test_no_answer_makes_reading_tools_fail(body: Json) -> None:
    read_tools(body)
    read_tools({"result": body})
    read_tools({"result": {"tools": body}})
    read_tools({"result": {"tools": [body, {"name": body, "inputSchema": body}]}})


def test_tools() -> None:
    schema: Json = {"type": "object"}
    entries: list[Json] = [
        {"name": "new", "description": "One.", "inputSchema": schema},
        {"name": "old", "description": None, "input_schema": schema},
        {"name": "bare"},
        {"description": "no name"},
        "no tool",
    ]
    assert read_tools({"jsonrpc": "2.0", "result": {"tools": entries}}) == (
        Tool(name="new", description="One.", input_schema=schema),
        Tool(name="old", description="", input_schema=schema),
        Tool(name="bare", description="", input_schema=None),
    )


def test_an_empty_list_is_not_no_list() -> None:
    assert read_tools({"result": {"tools": []}}) == ()
    assert read_tools({"error": {"code": -32603, "message": "no MCP"}}) is None
    assert read_tools(None) is None
