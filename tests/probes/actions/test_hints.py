"""What an observation or an error says of legal actions narrows what is drawn."""

from typing import Any

import numpy as np
import pytest

from probes.actions.hints import Hints
from probes.actions.sample import sample
from probes.actions.schema import read_schema
from probes.actions.text import ideas
from probes.base import Json, Seen


def member(**schema: Any) -> Json:
    return {"type": "object", "properties": {"move": schema}, "required": ["move"]}


def drawn(schema: Json, *looks: Seen, times: int = 300) -> set[Any]:
    hints = Hints()
    for seen in looks:
        hints = hints.seen(seen)
    space = hints.narrow(read_schema(schema))
    rng = np.random.default_rng(0)
    actions = [sample(space, rng) for _ in range(times)]
    return {action["move"] for action in actions if isinstance(action, dict)}


def look(observation: Json, error: str | None = None) -> Seen:
    return Seen(observation=observation, step=0, error=error)


@pytest.mark.parametrize(
    "observation",
    [
        {"legal_actions": [3, 5, 11]},
        {"board": [0, 0], "info": {"valid_moves": [3, 5, 11]}},
        {"legal_moves": [{"move": 3}, {"move": 5}, {"move": 11}]},
        {"action_mask": [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1]},
        {"action_mask": [False, False, False, True, False, True, *[False] * 5, True]},
    ],
)
def test_listed_moves_are_the_only_ones_drawn(observation: Json) -> None:
    assert drawn(member(type="integer"), look(observation)) == {3, 5, 11}


@pytest.mark.parametrize(
    ("error", "span"),
    [
        ("VALIDATION: column must be between 0 and 6", (0, 6)),
        ("move out of range [2, 4]", (2, 4)),
        ("expected an integer from 1 to 3", (1, 3)),
        ("must be in 0..8", (0, 8)),
        ("position must be between -2 and 1", (-2, 1)),
    ],
)
def test_a_range_that_an_error_names_bounds_integers(error: str, span: tuple[int, int]) -> None:
    found = drawn(member(type="integer"), look("", error))
    assert found == set(range(span[0], span[1] + 1))


def test_what_an_error_said_stays_true_for_the_episode() -> None:
    found = drawn(member(type="integer"), look("", "must be between 0 and 2"), look("go on"))
    assert found == {0, 1, 2}


def test_a_declared_bound_wins_over_a_text() -> None:
    schema = member(type="integer", minimum=0, maximum=1)
    assert drawn(schema, look("", "between 0 and 9")) == {0, 1}


def test_words_that_an_error_lists_are_the_only_ones_drawn() -> None:
    error = "Input should be 'up', 'down' or 'left'"
    assert drawn(member(type="string"), look("", error)) == {"up", "down", "left"}


def test_listed_moves_that_fit_nothing_change_nothing() -> None:
    found = drawn(member(enum=["a", "b"]), look({"legal_moves": [1, {"x": 2}, None]}))
    assert found == {"a", "b"}


def test_free_text_is_written_with_the_observation_s_own_words() -> None:
    text = "Choose a move such as [4], say 'pass', or type 17.\nA) red\nB) blue"
    found = drawn(member(type="string"), look({"text": text}), times=3000)
    assert {"[4]", "pass", "17", "A", "B", "red"} <= found


def test_a_huge_observation_is_read_in_part() -> None:
    deep: Json = "bottom"
    for _ in range(500):
        deep = {"x": deep}
    groups = ideas({"a": "word " * 1_000_000, "deep": deep, "many": list(range(10**5))})
    assert all(len(group) <= 200 for group in groups)
