"""Listings are in a fixed order, and say whether they are all there is."""

import pytest

from probes.actions.enumerate import enumerate_actions
from probes.actions.schema import read_schema
from probes.base import Json


def listed(schema: Json, most: int = 100) -> tuple[list[Json], bool]:
    found = enumerate_actions(read_schema(schema), most)
    return list(found.actions), found.whole


def record(**members: Json) -> Json:
    return {"type": "object", "properties": members, "required": list(members)}


@pytest.mark.parametrize(
    ("schema", "actions", "whole"),
    [
        ({"enum": ["b", "a"]}, ["b", "a"], True),
        ({"type": "integer", "minimum": -3, "maximum": 4, "multipleOf": 3}, [-3, 0, 3], True),
        ({"type": "integer"}, list(range(10)), False),
        ({"type": "integer", "minimum": 5}, list(range(5, 15)), False),
        ({"type": "integer", "maximum": 2}, [0, 1, 2], False),
        ({"type": "integer", "maximum": -1}, list(range(-10, 0)), False),
        ({"type": "number", "minimum": 0, "maximum": 1}, [0.0, 0.5, 1.0], False),
        ({"anyOf": [{"const": 1}, {"enum": [1, 2]}, {"const": 1.0}]}, [1, 2], True),
        ({"oneOf": [{"enum": [1, 2]}, {"enum": [2, 3]}]}, [1, 3], True),
        (
            record(a={"enum": [0, 1]}, b={"type": "boolean"}),
            [
                {"a": 0, "b": False}, {"a": 0, "b": True},
                {"a": 1, "b": False}, {"a": 1, "b": True},
            ],
            True,
        ),
        (
            {"type": "array", "items": {"enum": [0, 1]}, "maxItems": 2, "uniqueItems": True},
            [[], [0], [1], [0, 1], [1, 0]],
            True,
        ),
        (
            {"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True, "minItems": 3},
            [],
            True,
        ),
    ],
)  # fmt: skip
def test_a_listing(schema: Json, actions: list[Json], whole: bool) -> None:
    assert listed(schema) == (actions, whole)


def test_a_part_without_limit_hides_nothing_beside_it() -> None:
    schema: Json = {"anyOf": [record(note={"type": "string"}), record(move={"const": "wait"})]}
    actions, whole = listed(schema)
    assert {"move": "wait"} in actions
    assert not whole
    actions, whole = listed(record(note={"type": "string"}, move={"enum": ["go", "wait"]}))
    assert {action["move"] for action in actions if isinstance(action, dict)} == {"go", "wait"}
    assert not whole


@pytest.mark.parametrize(("most", "whole"), [(2, False), (3, True), (4, True)])
def test_a_listing_that_is_cut_says_so(most: int, whole: bool) -> None:
    assert listed({"enum": [1, 2, 3]}, most) == ([1, 2, 3][:most], whole)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 0, "maximum": 10**18},
        {"type": "array", "items": {"type": "boolean"}, "minItems": 60},
        {"type": "array", "items": {"$ref": "#"}},
        {"anyOf": [*[{"anyOf": [{"$ref": "#"}] * 9}] * 9, {"const": 1}]},
        {
            "type": "object",
            "properties": {f"k{n}": {"anyOf": [{"$ref": "#"}, {"const": n}]} for n in range(50)},
            "required": [f"k{n}" for n in range(50)],
        },
    ],
)
def test_a_space_without_end_is_listed_in_bounded_work(schema: Json) -> None:
    actions, whole = listed(schema, 5)
    assert len(actions) <= 5
    assert not whole or len(actions) == 1
