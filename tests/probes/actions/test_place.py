"""A value is placed where it is legal, and in no other part."""

from typing import Any

import numpy as np
import pytest

from probes.actions.place import number_in, placing
from probes.actions.sample import sample
from probes.actions.schema import read_schema
from probes.base import Json


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def placed(where: Any, value: Json, member: str = "") -> Any:
    space = placing(read_schema(where), value, member=member)
    return None if space is None else sample(space, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("where", "value", "action"),
    [
        (schema(a=TEXT), "x", {"a": "x"}),
        (schema(a=TEXT), 4, {"a": "4"}),
        (schema(a=WHOLE), "12", {"a": 12}),
        (schema(a=WHOLE), "1,200", {"a": 1200}),
        (schema(a={"type": "number"}), 0.5, {"a": 0.5}),
        (schema(a={"enum": ["Up", "Down"]}), " down", {"a": "Down"}),
        (schema(a={"enum": [1, 2]}), "2", {"a": 2}),
        (schema(a={"type": "array", "items": WHOLE}), [3, 1], {"a": [3, 1]}),
        (schema(a={"type": "array", "items": WHOLE, "minItems": 3, "maxItems": 3}), "145",
         {"a": [1, 4, 5]}),
        (schema(a={"type": "array", "items": TEXT}), "x", {"a": ["x"]}),
        (schema(a=schema(b=TEXT)), "x", {"a": {"b": "x"}}),
    ],
)  # fmt: skip
def test_a_value_is_placed_as_it_is_legal(where: Any, value: Json, action: Json) -> None:
    assert placed(where, value) == action


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (schema(a=WHOLE), "x"),
        (schema(a={"type": "integer", "maximum": 3}), 4),
        (schema(a={"enum": ["up"]}), "down"),
        (schema(a={"type": "array", "items": WHOLE, "minItems": 3}), "14"),
        (schema(metadata=TEXT), "x"),
        (schema(a={"type": "boolean"}), 1),
    ],
)
def test_a_value_that_is_legal_nowhere_is_not_placed(where: Any, value: Json) -> None:
    assert placed(where, value) is None


def test_only_the_named_member_holds_it() -> None:
    action = placed(schema(a=TEXT, b=TEXT), "x", member="b")
    assert action["b"] == "x"
    assert action["a"] != "x"
    assert placed(schema(a=TEXT), "x", member="c") is None


def test_options_that_cannot_hold_it_are_left_out() -> None:
    where = {"anyOf": [schema(a=WHOLE), schema(b=TEXT)]}
    assert placed(where, "x") == {"b": "x"}


def test_a_far_number_is_placed_alone_and_not_beside_a_text() -> None:
    assert placed(schema(a=WHOLE), 222_222_222) == {"a": 222_222_222}
    action = placed(schema(text=TEXT, times=WHOLE), 222_222_222)
    assert action["text"] == "222222222"
    assert abs(action["times"]) < 10
    bounded = schema(text=TEXT, id={"type": "integer", "minimum": 0, "maximum": 10**9})
    assert placed(bounded, 222_222_222)["id"] == 222_222_222


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), (" 1.50 ", 1.5), ("$3", 3), ("1e3", 1000), ("x", None), ("1_0", None),
     ("nan", None), ("inf", None), ("9" * 30, None), ("", None)],
)  # fmt: skip
def test_numbers_that_texts_spell(text: str, number: float | None) -> None:
    assert number_in(text) == number
