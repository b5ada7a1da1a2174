"""Texts are written where actions take free ones, and nowhere else."""

from typing import Any

import jsonschema
import numpy as np
import pytest

from probes.actions.legal import Legal
from probes.base import Json, Lane, Seen, Unplayable

CALL: Json = {
    "type": "object",
    "properties": {"tool_name": {"type": "string"}, "arguments": {"type": "object"}},
    "required": ["tool_name", "arguments"],
}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def tool(name: str, **properties: Any) -> dict[str, Any]:
    return {"name": name, "description": "", "input_schema": schema(**properties)}


def written(
    action_schema: Any, *texts: str, tools: Any = None, listed: tuple[str, ...] = (), seed: int = 0
) -> Any:
    legal = Legal(Lane(action_schema=action_schema, tools=tools), np.random.default_rng(seed))
    return legal.write(texts, listed=listed)


def test_every_free_text_is_written_and_the_rest_is_drawn() -> None:
    where = schema(
        answer={"type": "string"}, sure={"type": "boolean"}, why={"$ref": "#/$defs/why"}
    ) | {"$defs": {"why": schema(text={"type": "string"})}}
    action = written(where, "hello")
    assert action["answer"] == "hello"
    assert action["why"] == {"text": "hello"}
    jsonschema.validate(action, where)


def test_an_optional_text_is_written_and_metadata_is_not() -> None:
    where = schema(move={"enum": ["up"]})
    where["properties"] |= {"note": {"type": "string"}, "metadata": schema(a={"type": "string"})}
    assert written(where, "hello") == {"move": "up", "note": "hello"}


def test_a_text_that_is_too_long_is_cut_and_one_that_is_too_short_is_left_out() -> None:
    assert written(schema(word={"type": "string", "maxLength": 3}), "hello") == {"word": "hel"}
    assert written(schema(word={"type": "string", "minLength": 6}), "hello", "bonjour") == {
        "word": "bonjour"
    }


def test_a_text_that_chooses_is_written_only_where_there_is_no_other() -> None:
    both = schema(kind={"type": "string"}, text={"type": "string"})
    assert {written(both, "hello", seed=seed)["text"] for seed in range(5)} == {"hello"}
    assert all(written(both, "hello", seed=seed)["kind"] != "hello" for seed in range(5))
    assert written(schema(kind={"type": "string"}), "hello") == {"kind": "hello"}
    noted = schema(
        act={"type": "string", "description": "Kind: click or fill"}, text={"type": "string"}
    )
    assert {written(noted, "hello", seed=seed)["act"] for seed in range(9)} == {"click", "fill"}


def test_tools_without_a_text_are_not_called() -> None:
    tools = (tool("submit"), tool("say", text={"type": "string"}), tool("go", way={"enum": ["n"]}))
    for seed in range(5):
        assert written(CALL, "hello", tools=tools, seed=seed) == {
            "tool_name": "say",
            "arguments": {"text": "hello"},
        }


def test_a_list_of_texts_holds_all_that_is_listed_as_far_as_there_is_room() -> None:
    where = schema(names={"type": "array", "items": {"type": "string"}, "maxItems": 3})
    assert written(where, "x", listed=("a", "b", "b", "c", "d")) == {"names": ["a", "b", "c"]}
    assert set(written(where, "x")["names"]) == {"x"}


@pytest.mark.parametrize(
    "where",
    [
        schema(move={"enum": ["up", "down"]}),
        schema(code={"type": "string", "pattern": "^[0-9]+$"}),
        schema(code={"type": "string", "minLength": 50}),
        schema(column={"type": "integer"}),
        schema(names={"type": "array", "items": {"type": "string"}, "maxItems": 0}),
    ],
)
def test_where_no_text_is_taken_nothing_is_written(where: Any) -> None:
    with pytest.raises(Unplayable, match="no action takes a free text"):
        written(where, "hello")


def test_recursion_ends() -> None:
    node: Any = schema(text={"type": "string"})
    node["properties"]["inner"] = {"$ref": "#/$defs/node"}
    action = written({"$ref": "#/$defs/node", "$defs": {"node": node}}, "hello")
    assert action["text"] == "hello"


def test_what_was_written_counts_as_the_last_action() -> None:
    legal = Legal(
        Lane(action_schema=schema(a={"type": "string"}), tools=None), np.random.default_rng(0)
    )
    action = legal.write(["hello"])
    legal.look(Seen(observation={}, step=1, error="no"))
    assert legal.is_refused(action)
