"""empty, minimal and repeat: what each does where they differ."""

from typing import Any

import numpy as np

from probes.base import Json, Lane, Probe, Seen
from probes.null.empty import Empty
from probes.null.minimal import Minimal
from probes.null.repeat import Repeat

MIXED: Json = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "many": {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 1},
        "level": {"type": "integer", "minimum": -3, "maximum": 3},
        "extra": {"type": "string"},
    },
    "required": ["text", "many", "level"],
}
MOVE: Json = {
    "type": "object",
    "properties": {"move": {"enum": ["up", "down", "left", "right"]}},
    "required": ["move"],
}


def play(probe: Probe, schema: Json, seen: list[Seen], seed: int = 0) -> list[Any]:
    agent: Any = probe.begin(Lane(action_schema=schema, tools=None), np.random.default_rng(seed))
    return [agent.act(one) for one in seen]


def steps(*observations: Json, error: str | None = None) -> list[Seen]:
    return [
        Seen(observation=observation, step=step, error=error if step else None)
        for step, observation in enumerate(observations)
    ]


def test_empty_leaves_out_all_it_may() -> None:
    assert play(Empty(), MIXED, steps("a", "b")) == [{"text": "", "many": ["x"], "level": 0}] * 2


def test_empty_draws_another_action_only_while_it_is_refused() -> None:
    played = play(Empty(), MOVE, steps(*"abcdefgh", error="no"))
    assert played[0] == {"move": "up"}
    assert len({action["move"] for action in played}) > 1


def test_minimal_takes_the_lowest_of_everything() -> None:
    [action] = play(Minimal(), MIXED, steps("a"))
    assert (action["many"], action["level"]) == (["x"], -3)


def test_minimal_takes_the_next_action_while_it_is_refused() -> None:
    played = play(Minimal(), MOVE, steps(*"abcd", error="no"))
    assert [action["move"] for action in played] == ["up", "down", "left", "right"]


def test_repeat_goes_on_while_something_changes() -> None:
    for seed in range(5):
        played = play(Repeat(), MOVE, steps(*"abcdefgh"), seed)
        assert played == [played[0]] * 8


def test_repeat_tries_others_where_nothing_comes_of_it() -> None:
    played = play(Repeat(), MOVE, steps(*["same"] * 30))
    assert len({action["move"] for action in played}) == 4


def test_repeat_leaves_what_is_no_longer_legal() -> None:
    seen = [
        Seen(observation={"legal_moves": ["up"]}, step=0),
        Seen(observation={"legal_moves": ["down"]}, step=1),
    ]
    assert play(Repeat(), MOVE, seen) == [{"move": "up"}, {"move": "down"}]
