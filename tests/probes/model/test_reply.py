"""From replies of every kind to actions, or to why there is none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from probes.base import Json, Lane
from probes.model.form import Misfit, form_of
from probes.model.prompt import bounded
from probes.model.reply import Malformed, Refused, Reply, action_of, kept_part, read_reply

MOVE = Lane(
    action_schema={
        "type": "object",
        "properties": {
            "move": {"enum": ["up", "down"]},
            "why": {"type": "string"},
            "metadata": {"type": "object"},
        },
        "required": ["move"],
    },
    tools=None,
)
TEXT = Lane(
    action_schema={
        "type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"],
    },
    tools=None,
)  # fmt: skip
NUMBER = Lane(
    action_schema={
        "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
    },
    tools=None,
)  # fmt: skip


@pytest.mark.parametrize(
    ("lane", "text", "action"),
    [
        (MOVE, '{"move": "up", "why": null}', {"move": "up"}),
        (MOVE, 'I go.\n```json\n{"move": "down"}\n```\nDone {"move": "up"}', {"move": "down"}),
        (MOVE, '<think>{"move": "down"}</think>{"move": "up"}', {"move": "up"}),
        (MOVE, '{"name": "act", "arguments": {"move": "up"}}', {"move": "up"}),
        (MOVE, '{"action": {"move": "up"}}', {"move": "up"}),
        (MOVE, '{"other": 1} then {"move": "up"}', {"move": "up"}),
        (TEXT, "Just words", {"message": "Just words"}),
        (TEXT, "42", {"message": "42"}),
        (NUMBER, "42", {"n": 42}),
    ],
)
def test_an_action_is_found(lane: Lane, text: str, action: Json) -> None:
    assert action_of(Reply(content=text), form_of(lane)) == action


@pytest.mark.parametrize(
    ("lane", "reply", "why"),
    [
        (MOVE, Reply(content=""), "it is empty"),
        (MOVE, Reply(content='{"move": "u', cut=True), "ends before the JSON object does"),
        (MOVE, Reply(content="no idea"), "there is no JSON object"),
        (MOVE, Reply(content='{"a": 1}'), "has none of metadata, move, why"),
        (MOVE, Reply(content="", calls=(("act", "{"),)), "the arguments are no JSON"),
        (NUMBER, Reply(content="NaN"), "no JSON object"),
    ],
)
def test_what_is_no_action_is_said(lane: Lane, reply: Reply, why: str) -> None:
    with pytest.raises(Misfit, match=why):
        action_of(reply, form_of(lane))


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: (
    st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["choices", "message", "content", "tool_calls", "function", "name",
                         "arguments", "text", "usage", "refusal"]), inner, max_size=5)
), max_leaves=20))  # fmt: skip
def test_no_answer_of_an_endpoint_breaks_the_reading(found: Json) -> None:
    answer: dict[str, Json] = {"choices": [{"message": found}]}
    try:
        reply = read_reply(kept_part(answer))
        action_of(reply, form_of(MOVE))
    except (Malformed, Misfit, Refused):
        return


def test_what_is_asked_for_is_a_schema_that_the_examples_keep() -> None:
    for lane in (MOVE, TEXT, NUMBER):
        form = form_of(lane)
        Draft202012Validator.check_schema(form.schema)
        check = Draft202012Validator(form.schema)
        for _, value in form.shots:
            check.validate(value)
        for line in form.explained.splitlines():
            if line.startswith("{"):
                assert set(json.loads(line)) <= set(form.schema["properties"])  # type: ignore[arg-type]


@given(st.text(max_size=400), st.integers(10, 100))
def test_a_cut_text_keeps_its_ends(text: str, most: int) -> None:
    found = bounded(text, most)
    if len(text) <= most:
        assert found == text
    else:
        assert found.startswith(text[: most // 2])
        assert found.endswith(text[-(most // 4) :])
        assert len(found) < most + 60
