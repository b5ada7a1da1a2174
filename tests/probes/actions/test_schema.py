"""Any schema, sound or hostile, is read in bounded work, and what is drawn from it is legal."""

import math
from contextlib import suppress
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from probes.actions.enumerate import enumerate_actions
from probes.actions.fit import fits
from probes.actions.height import height
from probes.actions.sample import minimal, sample
from probes.actions.schema import LARGEST_ENUM, LARGEST_SCHEMA, read_schema
from probes.actions.space import Choice, Real, Whole
from probes.base import Json, Unplayable

PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.floats(-3, 3), st.text("ab", max_size=3)
)
NUMBERS = st.one_of(st.integers(-20, 20), st.sampled_from([0.5, -1.5, 2.25, 10.0]))


TYPE = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
SIMPLE: dict[str, st.SearchStrategy[Any]] = {
    "type": st.one_of(TYPE, st.lists(TYPE, min_size=1, max_size=3, unique=True)),
    "enum": st.lists(PLAIN, min_size=1, max_size=4),
    "const": PLAIN,
    "minimum": NUMBERS,
    "maximum": NUMBERS,
    "exclusiveMinimum": NUMBERS,
    "exclusiveMaximum": NUMBERS,
    "multipleOf": st.sampled_from([1, 2, 3, 0.5, 0.25, 7]),
    "minLength": st.integers(0, 6),
    "maxLength": st.integers(0, 6),
    "pattern": st.sampled_from(["^[ab]+$", "a", "^x?[0-9]{2,3}$", "^(yes|no)$", "^$"]),
    "minItems": st.integers(0, 3),
    "maxItems": st.integers(0, 4),
    "uniqueItems": st.booleans(),
    "required": st.lists(st.sampled_from("abcde"), max_size=3, unique=True),
    "minProperties": st.integers(0, 3),
    "maxProperties": st.integers(0, 4),
    "$ref": st.sampled_from(["#", "#/$defs/one", "#/$defs/two"]),
}
LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")
SINGLES = ("items", "additionalProperties")
KEYWORDS = (*SIMPLE, *LISTS, *SINGLES, "properties")


@st.composite
def nodes(draw: st.DrawFn, depth: int = 3) -> dict[str, Json]:
    """Return a schema of a few keywords, whether or not they suit one another."""
    words = KEYWORDS if depth else tuple(SIMPLE)
    node: dict[str, Json] = {"type": draw(TYPE)} if draw(st.booleans()) else {}
    for word in draw(st.lists(st.sampled_from(words), max_size=4, unique=True)):
        if word in SIMPLE:
            node[word] = draw(SIMPLE[word])
        elif word in LISTS:
            node[word] = [draw(nodes(depth - 1)) for _ in range(draw(st.integers(1, 3)))]
        elif word in SINGLES:
            node[word] = draw(st.one_of(st.booleans(), nodes(depth - 1)))
        else:
            names = draw(st.lists(st.sampled_from("abcd"), max_size=3, unique=True))
            node[word] = {name: draw(nodes(depth - 1)) for name in names}
    return node


@st.composite
def schemas(draw: st.DrawFn) -> Json:
    root: dict[str, Json] = draw(nodes())
    return {**root, "$defs": {"one": draw(nodes(2)), "two": draw(nodes(2))}}


def validator_of(schema: Any) -> Any:
    return jsonschema.Draft202012Validator(schema)


@given(schemas(), st.integers(0, 2**32))
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_combination_of_keywords_is_drawn_from_legally(schema: Json, seed: int) -> None:
    try:
        space = read_schema(schema)
        action = sample(space, np.random.default_rng(seed))
    except Unplayable:
        return
    assume(not space.unread)
    assert validator_of(schema).is_valid(action), (schema, action)


@given(schemas())
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_listed_is_legal_and_listed_once(schema: Json) -> None:
    try:
        space = read_schema(schema)
        found = enumerate_actions(space, 20)
    except Unplayable:
        return
    assume(not space.unread)
    legal = validator_of(schema)
    assert all(legal.is_valid(action) for action in found.actions), (schema, found)
    assert len({repr(action) for action in found.actions}) == len(found.actions)


@given(schemas(), st.recursive(PLAIN, lambda one: st.lists(one, max_size=3), max_leaves=4))
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_legal_is_what_an_independent_validator_calls_legal(schema: Json, value: Json) -> None:
    try:
        space = read_schema(schema)
        found = fits(space, space.root, value)
        expected = validator_of(schema).is_valid(value)
    except (Unplayable, RecursionError):
        return
    assume(not space.unread)
    assert found == expected, (schema, value)


ANYTHING = st.recursive(
    st.one_of(PLAIN, st.just(math.nan), st.just(math.inf), st.integers(10**30, 10**31)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(sorted(KEYWORDS)), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(ANYTHING)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_nonsense_in_place_of_a_schema_gives_an_action_or_one_clear_refusal(schema: Json) -> None:
    with suppress(Unplayable):
        space = read_schema(schema)
        sample(space, np.random.default_rng(0))
        enumerate_actions(space, 10)


def deep(levels: int, keyword: str) -> Json:
    schema: Json = {"type": "integer"}
    for _ in range(levels):
        inside: Json = {"x": schema} if keyword == "properties" else schema
        schema = {keyword: [inside]} if keyword.endswith("Of") else {keyword: inside}
    return schema


@pytest.mark.parametrize("keyword", ["items", "properties", "anyOf", "oneOf", "allOf"])
def test_a_schema_nested_beyond_reason_is_refused(keyword: str) -> None:
    with pytest.raises(Unplayable, match="nested deeper than 64 levels"):
        read_schema(deep(200, keyword))
    read_schema(deep(40, keyword))


def test_a_schema_of_too_many_parts_is_refused() -> None:
    with pytest.raises(Unplayable, match=f"more than {LARGEST_SCHEMA} parts"):
        read_schema({"anyOf": [{"type": "null"}] * (LARGEST_SCHEMA + 1)})


def test_alternatives_multiplied_beyond_reason_are_refused() -> None:
    options: Json = [{"minimum": number} for number in range(30)]
    with pytest.raises(Unplayable, match="too many alternatives"):
        read_schema({"allOf": [{"anyOf": options}] * 5})


def test_a_huge_enum_is_read_in_part_and_says_so() -> None:
    space = read_schema({"enum": list(range(LARGEST_ENUM + 5))})
    assert isinstance(space.root, Choice)
    assert len(space.root.values) == LARGEST_ENUM
    assert space.unread == {"enum"}


def test_references_in_a_long_chain_are_followed_or_refused() -> None:
    chain: dict[str, Json] = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(50)}
    chain["d50"] = {"const": 7}
    assert (
        sample(read_schema({"$ref": "#/$defs/d0", "$defs": chain}), np.random.default_rng(0)) == 7
    )
    long = {f"d{n}": {"items": {"$ref": f"#/$defs/d{n + 1}"}, "minItems": 1} for n in range(500)}
    schema: Json = {"$ref": "#/$defs/d0", "$defs": {**long, "d500": {"const": 7}}}  # type: ignore[dict-item]
    with pytest.raises(Unplayable):
        sample(read_schema(schema), np.random.default_rng(0))


@pytest.mark.parametrize("pointer", ["http://example.org/x", "#/nowhere", "other.json#/a", 7])
def test_a_reference_that_leads_nowhere_is_named_and_never_fetched(pointer: Json) -> None:
    space = read_schema({"properties": {"x": {"$ref": pointer}}, "type": "object"})
    assert space.unread == {"$ref"}


@pytest.mark.parametrize("keyword", ["not", "if", "contains", "patternProperties", "propertyNames"])
def test_a_restriction_that_is_not_understood_is_named(keyword: str) -> None:
    assert read_schema({keyword: {}, "type": "object"}).unread == {keyword}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"minimum": 0.5, "maximum": 3.5}, Whole(low=1, high=3)),
        ({"exclusiveMinimum": 0, "exclusiveMaximum": 4}, Whole(low=1, high=3)),
        ({"minimum": 1, "exclusiveMinimum": True}, Whole(low=2)),
        ({"minimum": 2, "exclusiveMinimum": False, "multipleOf": 4}, Whole(low=2, step=4)),
        ({"multipleOf": 2.0}, Whole(step=2)),
        ({"minimum": math.nan, "maximum": "6"}, Whole()),
    ],
)
def test_bounds_of_an_integer_in_every_draft(schema: dict[str, Json], expected: Whole) -> None:
    assert read_schema({"type": "integer", **schema}).root == expected


def test_bounds_of_a_number_keep_whether_they_are_open() -> None:
    space = read_schema({"type": "number", "exclusiveMinimum": 0, "maximum": 1})
    assert space.root == Real(low=0.0, high=1.0, open_low=True)


def test_keywords_of_types_that_are_excluded_elsewhere_exclude_nothing() -> None:
    schema: Json = {"minLength": 0, "minProperties": 3, "oneOf": [{"type": "null"}]}
    assert sample(read_schema(schema), np.random.default_rng(0)) is None


def test_nullable_and_null_mean_the_same() -> None:
    one = read_schema({"type": "integer", "nullable": True})
    two = read_schema({"type": ["integer", "null"]})
    assert one.root == two.root


def test_height_is_that_of_the_shallowest_value() -> None:
    schema: Json = {
        "$defs": {
            "tree": {
                "anyOf": [
                    {"type": "array", "items": {"$ref": "#/$defs/tree"}, "minItems": 1},
                    {"const": 0},
                ]
            }
        },
        "type": "array",
        "items": {"$ref": "#/$defs/tree"},
        "minItems": 2,
    }
    space = read_schema(schema)
    assert height(space, space.root) == 2
    with pytest.raises(Unplayable, match="allows no action"):
        read_schema({"type": "object", "properties": {"x": {"$ref": "#"}}, "required": ["x"]})


EXTREMES = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-(10**4000), 10**4000),
    st.sampled_from([0, -0.0, 5e-324, 1.7e308, -1.7e308, 2**63, 10**308, 1e-300]),
)


@given(
    st.sampled_from(["integer", "number"]),
    st.dictionaries(
        st.sampled_from(
            ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
        ),
        EXTREMES,
        max_size=3,
    ),
)
@settings(max_examples=300)
def test_extreme_bounds_give_a_finite_number_or_a_refusal(
    kind: str, bounds: dict[str, Json]
) -> None:
    schema: Json = {"type": kind, **bounds}
    with suppress(Unplayable):
        space = read_schema({"allOf": [schema, {"multipleOf": 3}]})
        action = sample(space, np.random.default_rng(0))
        assert isinstance(action, int | float)
        assert math.isfinite(action)
        enumerate_actions(space, 5)


def doubling(levels: int, kind: str) -> Json:
    """Return a schema whose every level holds the next one twice."""
    named: dict[str, Json] = {f"d{levels}": {"type": "integer"}}
    for level in range(levels):
        inside: Json = {"$ref": f"#/$defs/d{level + 1}"}
        if kind == "anyOf":
            named[f"d{level}"] = {"anyOf": [inside, inside, {"type": "null"}]}
        else:
            both: Json = {"l": inside, "r": inside}
            named[f"d{level}"] = {"type": "object", "properties": both, "required": ["l", "r"]}
    return {"$ref": "#/$defs/d0", "$defs": named}


def test_ways_that_double_at_every_level_are_walked_once() -> None:
    space = read_schema(doubling(40, "anyOf"))
    assert fits(space, space.root, None)
    assert not fits(space, space.root, "no")
    assert sample(space, np.random.default_rng(0)) is not True


def test_an_action_that_doubles_at_every_level_is_refused() -> None:
    space = read_schema(doubling(40, "object"))
    with pytest.raises(Unplayable, match="more than 10000 parts"):
        sample(space, np.random.default_rng(0))
    with pytest.raises(Unplayable, match="more than 10000 parts"):
        minimal(space)
    assert enumerate_actions(space, 10).actions == ()
