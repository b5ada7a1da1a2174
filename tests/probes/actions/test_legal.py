"""Within an episode an agent learns what is legal, and does not repeat what was just refused."""

from typing import Any

import numpy as np
import pytest

from probes.actions.legal import Legal, leaves_open
from probes.actions.schema import read_schema
from probes.base import Json, Lane, Seen


def record(**members: Any) -> Json:
    return {"type": "object", "properties": members, "required": list(members)}


def legal(schema: Json, seed: int = 0) -> Legal:
    return Legal(Lane(action_schema=schema, tools=None), np.random.default_rng(seed))


def test_what_was_refused_is_not_drawn_again_until_something_is_accepted() -> None:
    one = legal(record(move={"enum": ["a", "b", "c"]}))
    one.look(Seen(observation=None, step=0))
    drawn = [one.draw()]
    for step in range(1, 3):
        one.look(Seen(observation=None, step=step, error="no"))
        drawn.append(one.draw())
    assert sorted(str(action) for action in drawn) == [f"{{'move': '{c}'}}" for c in "abc"]
    one.look(Seen(observation=None, step=3))
    again = {str(one.draw()) for _ in range(50)}
    assert len(again) == 3


def test_an_integer_of_unknown_bounds_is_found_before_the_tries_are_used_up() -> None:
    for seed in range(200):
        one = legal(record(move={"type": "integer"}), seed)
        moves: list[int] = []
        while not moves or moves[-1] > 1:
            error = "illegal" if moves else None
            one.look(Seen(observation=None, step=len(moves), error=error))
            action: Any = one.draw()
            moves.append(action["move"])
        assert len(moves) < 10


def test_a_failed_tool_call_counts_as_refused() -> None:
    one = legal(record(move={"enum": ["a", "b"]}))
    one.look(Seen(observation={}, step=0))
    first = one.draw()
    failed: Json = {"error": {"error_type": "invalid_args", "message": "no"}, "result": None}
    one.look(Seen(observation=failed, step=1))
    assert one.is_refused(first)
    assert one.draw() != first


def test_where_all_is_refused_one_of_it_is_drawn_all_the_same() -> None:
    one = legal(record(move={"const": "a"}))
    for step in range(3):
        one.look(Seen(observation=None, step=step, error="no" if step else None))
        assert one.draw() == {"move": "a"}


@pytest.mark.parametrize(
    ("member", "is_open"),
    [
        ({"type": "string"}, True),
        ({"type": "string", "pattern": "^[a-h][1-8]$"}, False),
        ({"type": "integer", "minimum": 0}, True),
        ({"type": "integer", "minimum": 0, "maximum": 4}, False),
        ({"enum": ["a"]}, False),
        ({"type": "array", "items": {"type": "boolean"}}, True),
        ({"type": "array", "items": {"type": "boolean"}, "maxItems": 2}, False),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, True),
        ({}, True),
    ],
)
def test_texts_are_read_only_where_they_can_tell_more(member: Json, is_open: bool) -> None:
    assert leaves_open(read_schema(record(x=member))) == is_open
