"""What a frame is read as: nothing in it is repaired, and nothing makes reading fail."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validator.client.frames import DEPTH
from validator.client.reading import (
    ErrorRead,
    McpRead,
    Missing,
    NotANumber,
    Null,
    Number,
    Observed,
    StateRead,
    Unreadable,
    read,
    read_reward,
)

texts = st.text(st.characters(codec="utf-8"))
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=20
)


def same(left: Any, right: Any) -> bool:
    """Compare as JSON text: NaN equals NaN, and True is not 1."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@given(st.binary())
def test_no_bytes_make_reading_fail(data: bytes) -> None:
    read(data.decode("utf-8", "replace"))
    read(data.decode("latin-1"))


@given(st.text())
def test_no_text_makes_reading_fail(text: str) -> None:
    read(text)
    read('{"type": "observation", "data": ' + text + "}")


@given(values)
def test_no_json_makes_reading_fail(value: Any) -> None:
    read(json.dumps(value))
    for kind in ("observation", "state", "error", "mcp", "other"):
        read(json.dumps({"type": kind, "data": value}))
    read(json.dumps({"type": value, "data": {}}))


@given(values)
def test_each_kind_of_reward_stays_what_it_is(value: Any) -> None:
    text = json.dumps({"type": "observation", "data": {"observation": {}, "reward": value}})
    reading = read(text)
    assert isinstance(reading, Observed)
    found = reading.reward
    if value is None:
        assert found == Null()
    elif isinstance(value, bool) or not isinstance(value, int | float) or not finite(value):
        assert isinstance(found, NotANumber)
        assert len(found.found) <= 80
    else:
        assert isinstance(found, Number)
        assert found.value == value
        assert type(found.value) is type(value)


def finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ('"reward": null', Null()),
        ('"reward": 0', Number(0)),
        ('"reward": 0.0', Number(0.0)),
        ('"reward": -0.0', Number(-0.0)),
        ('"reward": 1e400', NotANumber("Infinity")),
        ('"reward": NaN', NotANumber("NaN")),
        ('"reward": -Infinity', NotANumber("-Infinity")),
        ('"reward": true', NotANumber("true")),
        ('"reward": "1"', NotANumber('"1"')),
        ('"reward": [1]', NotANumber("[1]")),
        ('"Reward": 1', Missing()),
    ],
)
def test_reward(written: str, read_as: object) -> None:
    reading = read('{"type": "observation", "data": {"done": true, ' + written + "}}")
    assert isinstance(reading, Observed)
    assert repr(reading.reward) == repr(read_as)
    assert reading.done is True


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (10**400, "an integer of 1329 bits, beyond 1e+90"),
        (-1e308, "-1e+308, beyond 1e+90"),
        (math.nextafter(1e90, math.inf), "1.0000000000000001e+90, beyond 1e+90"),
        (math.inf, "Infinity"),
    ],
)
def test_number_too_large_to_add_up_is_none(value: float, found: str) -> None:
    assert read_reward({"reward": value}) == NotANumber(found)
    assert read_reward({"reward": 1e90}) == Number(1e90)


@given(values)
def test_done_is_read_only_from_a_boolean(value: Any) -> None:
    reading = read(json.dumps({"type": "observation", "data": {"done": value}}))
    assert isinstance(reading, Observed)
    assert reading.done is (value if isinstance(value, bool) else None)


@given(st.dictionaries(texts, values))
def test_envelope_is_the_frame_unchanged(data: dict[str, Any]) -> None:
    reading = read(json.dumps({"type": "observation", "data": data}))
    assert isinstance(reading, Observed)
    assert same(reading.envelope, data)
    assert same(reading.observation, data.get("observation"))
    assert same(reading.metadata, data.get("metadata"))
    state = read(json.dumps({"type": "state", "data": data}))
    assert isinstance(state, StateRead)
    assert same(state.state, data)


@given(values)
def test_mcp_body_is_kept_whatever_it_is(body: Any) -> None:
    reading = read(json.dumps({"type": "mcp", "data": body}))
    assert isinstance(reading, McpRead)
    assert same(reading.body, body)


def test_error_frame() -> None:
    data = {"code": "VALIDATION_ERROR", "message": "no", "errors": [{"loc": ["a"]}]}
    assert read(json.dumps({"type": "error", "data": data})) == ErrorRead(
        code="VALIDATION_ERROR", message="no", errors=[{"loc": ["a"]}]
    )
    assert read('{"type": "error", "data": {"code": 7, "message": null}}') == ErrorRead(
        code="7", message="null", errors=None
    )
    assert read('{"type": "error", "data": {}}') == ErrorRead(code="", message="", errors=None)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "1", '"observation"', "{}", '{"type": "observation"}', "{}{}", "\x00"]
)
def test_unreadable(text: str) -> None:
    assert isinstance(read(text), Unreadable)


@pytest.mark.parametrize("depth", [DEPTH - 2, DEPTH + 2, 2000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_depth_is_bounded(depth: int, opening: str, closing: str) -> None:
    text = opening * depth + "1" + closing * depth
    frame = '{"type": "state", "data": {"x": ' + text + "}}"
    assert isinstance(read(frame), StateRead) is (depth + 2 <= DEPTH)
