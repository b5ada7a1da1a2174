"""What is drawn is legal by an independent validator, the same each time, and always ends."""

from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probes.actions.enumerate import enumerate_actions
from probes.actions.fit import fits
from probes.actions.sample import minimal, sample
from probes.actions.schema import read_schema
from probes.base import Json, Unplayable

LEAVES = st.one_of(
    st.builds(
        lambda low, room: {"type": "integer", "minimum": low, "maximum": low + room},
        st.integers(-50, 50),
        st.integers(0, 30),
    ),
    st.just({"type": "integer"}),
    st.builds(
        lambda low, room: {"type": "number", "minimum": low, "exclusiveMaximum": low + room},
        st.integers(-5, 5),
        st.integers(1, 5),
    ),
    st.builds(
        lambda least, room: {"type": "string", "minLength": least, "maxLength": least + room},
        st.integers(0, 5),
        st.integers(0, 9),
    ),
    st.just({"type": "string", "pattern": "^[a-z]{5}$"}),
    st.just({"type": "boolean"}),
    st.just({"type": "null"}),
    st.builds(
        lambda values: {"enum": values},
        st.lists(
            st.one_of(st.integers(-3, 3), st.text("abc", max_size=3), st.none()),
            min_size=1,
            max_size=4,
        ),
    ),
)


def _grow(inner: st.SearchStrategy[dict[str, Json]]) -> st.SearchStrategy[dict[str, Json]]:
    members = st.dictionaries(st.text("abcd", min_size=1, max_size=2), inner, max_size=3)
    return st.one_of(
        members.flatmap(
            lambda found: st.builds(
                lambda required: {
                    "type": "object",
                    "properties": found,
                    "required": required,
                    "additionalProperties": False,
                },
                st.lists(st.sampled_from(sorted(found)), unique=True) if found else st.just([]),
            )
        ),
        st.builds(
            lambda items, least: {
                "type": "array", "items": items, "minItems": least, "maxItems": least + 2,
            },
            inner,
            st.integers(0, 2),
        ),
        st.builds(lambda options: {"anyOf": options}, st.lists(inner, min_size=1, max_size=3)),
    )  # fmt: skip


schemas = st.recursive(LEAVES, _grow, max_leaves=6)


def valid(schema: Any, value: Json) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


@given(schemas, st.integers(0, 2**32))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=200)
def test_what_is_drawn_is_legal_and_reproducible(schema: dict[str, Json], seed: int) -> None:
    space = read_schema(schema)
    one, two = (sample(space, np.random.default_rng(seed)) for _ in range(2))
    assert one == two
    assert valid(schema, one), (schema, one)


@given(schemas)
@settings(max_examples=100)
def test_the_least_action_is_legal(schema: dict[str, Json]) -> None:
    try:
        action = minimal(read_schema(schema))
    except Unplayable:
        return
    assert valid(schema, action), (schema, action)


@given(schemas)
@settings(max_examples=100)
def test_listed_actions_are_legal_unique_and_in_one_order(schema: dict[str, Json]) -> None:
    found = enumerate_actions(read_schema(schema), 50)
    again = enumerate_actions(read_schema(schema), 50)
    assert found == again
    assert len({repr(action) for action in found.actions}) == len(found.actions)
    assert all(valid(schema, action) for action in found.actions)


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-60, 60),
        st.floats(-9, 9),
        st.text("abcd", max_size=6),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text("abcd", min_size=1, max_size=2), inner, max_size=3),
    ),
    max_leaves=5,
)


@given(schemas, values)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_legal_means_what_an_independent_validator_means(
    schema: dict[str, Json], value: Json
) -> None:
    space = read_schema(schema)
    assert fits(space, space.root, value) == valid(schema, value), (schema, value)


def test_bounded_integers_are_drawn_uniformly() -> None:
    space = read_schema({"type": "integer", "minimum": -2, "maximum": 3})
    rng = np.random.default_rng(0)
    drawn = np.array([sample(space, rng) for _ in range(6000)])
    counts = np.bincount(drawn + 2, minlength=6)
    assert counts.size == 6
    assert counts.min() > 900
    assert counts.max() < 1100


def test_an_integer_without_bounds_is_small() -> None:
    space = read_schema({"type": "integer"})
    rng = np.random.default_rng(0)
    assert {sample(space, rng) for _ in range(500)} == set(range(10))


def test_the_stock_metadata_is_left_out() -> None:
    schema: Json = {
        "type": "object",
        "properties": {"metadata": {"type": "object"}, "move": {"enum": ["up"]}},
        "required": ["move"],
    }
    rng = np.random.default_rng(0)
    space = read_schema(schema)
    assert all(sample(space, rng) == {"move": "up"} for _ in range(20))


HOSTILE: list[Json] = [
    {"$ref": "#"},
    {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    {"type": "object", "properties": {"x": {"$ref": "#"}}, "required": ["x"]},
    {"type": "string", "pattern": "(a+)+$", "minLength": 400},
    {"type": "array", "items": {"type": "integer"}, "minItems": 10**9},
    {"type": "string", "minLength": 10**12},
    {"allOf": [{"type": "string"}, {"type": "integer"}]},
    {"enum": []},
    {"type": "integer", "minimum": 5, "maximum": 1},
    {"type": "array", "items": {"enum": [1]}, "minItems": 3, "uniqueItems": True},
    {"type": "object", "minProperties": 10**7},
    False,
]


@pytest.mark.parametrize("schema", HOSTILE, ids=range(len(HOSTILE)))
def test_a_schema_that_offers_nothing_ends_the_probe_alone(schema: Json) -> None:
    with pytest.raises(Unplayable):
        sample(read_schema(schema), np.random.default_rng(0))


def test_recursion_is_drawn_from_and_ends() -> None:
    schema: Json = {
        "$defs": {
            "tree": {
                "type": "object",
                "properties": {
                    "value": {"enum": [1, 2]},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                },
                "required": ["value", "children"],
            }
        },
        "$ref": "#/$defs/tree",
    }
    rng = np.random.default_rng(1)
    space = read_schema(schema)
    assert all(valid(schema, sample(space, rng)) for _ in range(20))
