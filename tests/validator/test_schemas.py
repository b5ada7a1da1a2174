"""A stranger's schema judges as the library does, within bounds, and never goes anywhere."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validator.schemas import (
    MOST_WORK,
    Shape,
    TooMuch,
    Unusable,
    json_type,
    names,
    part,
    promised_types,
    read_schema,
)

SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5) | st.text(max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
SIMPLE = st.one_of(
    st.just({}),
    TYPES.map(lambda kind: {"type": kind}),
    st.lists(TYPES, min_size=1, max_size=3, unique=True).map(lambda kinds: {"type": kinds}),
    st.lists(SCALARS, min_size=1, max_size=3).map(lambda found: {"enum": found}),
    st.integers(-3, 3).map(lambda least: {"minimum": least}),
    SCALARS.map(lambda found: {"const": found}),
)


def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(
            lambda found: {"type": "object", "properties": found, "required": sorted(found)[:1]}
        ),
        inner.map(lambda found: {"type": "array", "items": found}),
        st.lists(inner, min_size=1, max_size=3).map(lambda found: {"anyOf": found}),
        st.lists(inner, min_size=1, max_size=2).map(lambda found: {"allOf": found}),
        inner.map(lambda found: {"not": found}),
        inner.map(lambda found: {"additionalProperties": found}),
    )


SCHEMAS = st.recursive(SIMPLE, grown, max_leaves=6)


@given(schema=SCHEMAS, value=VALUES)
@settings(max_examples=200, deadline=None)
def test_it_judges_as_the_library_does(schema: Any, value: Any) -> None:
    shape = read_schema(schema)
    assert isinstance(shape, Shape)
    fits = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert (not shape.mismatches(value)) == fits


@given(schema=VALUES, value=VALUES)
@settings(max_examples=200, deadline=None)
def test_whatever_is_served_as_a_schema_is_used_or_refused(schema: Any, value: Any) -> None:
    shape = read_schema(schema)
    if isinstance(shape, Unusable):
        assert shape.why
    else:
        shape.mismatches(value)
        names(shape, "properties")
        promised_types(shape, part(shape, "a"))


@given(schema=SCHEMAS, value=VALUES)
@settings(max_examples=200, deadline=None)
def test_a_value_that_fits_is_of_a_promised_type(schema: Any, value: Any) -> None:
    shape = read_schema(schema)
    assert isinstance(shape, Shape)
    types = promised_types(shape, schema)
    if value is not None and types is not None and not shape.mismatches(value):
        assert json_type(value) in types


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ([], "no JSON object"),
        ({"$ref": "https://example.org/schema"}, "another document"),
        ({"properties": {"a": {"items": {"$ref": "file:///etc/passwd"}}}}, "another document"),
        ({"type": "nonsense"}, "no JSON Schema"),
        ({"description": "x" * 300_000}, "longer than"),
    ],
)
def test_what_cannot_be_used_says_why(schema: Any, why: str) -> None:
    found = read_schema(schema)
    assert isinstance(found, Unusable)
    assert why in found.why


def doubling(depth: int) -> Any:
    """Return a small schema that asks for two to the power of `depth` looks."""
    twice = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(depth)}
    return {"$defs": twice | {f"a{depth}": {"type": "integer"}}, "$ref": "#/$defs/a0"}


@pytest.mark.parametrize(
    "schema", [{"$ref": "#"}, {"$ref": "#/$defs/none"}, {"$ref": "#none"}, doubling(40)]
)
def test_a_schema_that_leads_nowhere_or_everywhere_is_given_up(
    schema: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("validator.schemas.MOST_WORK", MOST_WORK // 50)
    shape = read_schema(schema)
    assert isinstance(shape, Shape)
    with pytest.raises(TooMuch):
        shape.mismatches(1)


def test_a_pattern_is_not_run_but_a_property_of_that_name_is_kept() -> None:
    shape = read_schema(
        {
            "properties": {
                "pattern": {"type": "string", "pattern": "(a+)+$"},
                "format": {"type": "integer"},
            },
            "patternProperties": {"(b+)+$": {"type": "null"}},
            "additionalProperties": False,
        }
    )
    assert isinstance(shape, Shape)
    assert not shape.mismatches({"pattern": "a" * 40 + "!", "b" * 40 + "!": 1})
    assert [m.path for m in shape.mismatches({"pattern": 1, "format": "x"})] == [
        "$.pattern",
        "$.format",
    ]
    assert names(shape, "properties") == ["pattern", "format"]


def test_a_local_reference_is_followed() -> None:
    shape = read_schema(
        {
            "properties": {"mood": {"$ref": "#/$defs/Mood~1x"}},
            "$defs": {"Mood/x": {"enum": ["good", None]}},
        }
    )
    assert isinstance(shape, Shape)
    assert promised_types(shape, part(shape, "mood")) == frozenset({"string"})
    assert promised_types(shape, part(shape, "none")) is None
