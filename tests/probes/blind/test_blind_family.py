"""sticky and words: how they draw."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane, Probe, Seen, Unplayable
from probes.blind.sticky import Sticky
from probes.blind.words import LONGEST, Words, babble

SIZE: Json = {
    "type": "object",
    "properties": {"size": {"type": "integer", "minimum": 0, "maximum": 1000}},
    "required": ["size"],
}
SAY: Json = {
    "type": "object",
    "properties": {"say": {"type": "string"}},
    "required": ["say"],
}


def play(probe: Probe, schema: Json, seen: list[Seen], seed: int = 0) -> list[Any]:
    agent: Any = probe.begin(Lane(action_schema=schema, tools=None), np.random.default_rng(seed))
    return [agent.act(one) for one in seen]


def test_sticky_repeats_four_times_in_five() -> None:
    played = play(Sticky(), SIZE, [Seen(observation=step, step=step) for step in range(2000)])
    share = np.mean([one == two for one, two in pairwise(played)])
    assert 0.77 < share < 0.83


def test_sticky_does_not_repeat_what_is_refused_or_no_longer_legal() -> None:
    refused = [Seen(observation=0, step=step, error="no" if step else None) for step in range(50)]
    assert all(one != two for one, two in pairwise(play(Sticky(), SIZE, refused)))
    moves = [Seen(observation={"legal_sizes": [step]}, step=step) for step in range(20)]
    assert [action["size"] for action in play(Sticky(), SIZE, moves)] == [*range(20)]


def test_words_go_on_as_the_observation_does() -> None:
    text = "the cat sat on the mat and the dog sat on the cat"
    played = play(Words(), SAY, [Seen(observation=text, step=step) for step in range(100)])
    words = text.split()
    follows = {*pairwise(words)} | {("mat", word) for word in words}
    said = [action["say"].split() for action in played]
    assert all(pair in follows for one in said for pair in pairwise(one) if one[-1] != pair[1])
    assert 3 < np.mean([len(one) for one in said]) < 9
    assert {one[0] for one in said} == {*words}


def test_words_are_few_and_there_are_some_where_the_observation_has_none() -> None:
    rng = np.random.default_rng(0)
    assert all(0 < len(babble([], rng).split()) <= LONGEST for _ in range(200))


def test_words_say_so_where_no_text_is_wanted() -> None:
    with pytest.raises(Unplayable, match="no action takes a free text"):
        Words().begin(Lane(action_schema=SIZE, tools=None), np.random.default_rng(0))
