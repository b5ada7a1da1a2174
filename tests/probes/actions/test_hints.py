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


def pair(**members: Any) -> Json:
    return {"type": "object", "properties": members, "required": list(members)}


def all_drawn(schema: Json, *looks: Seen, times: int = 300) -> list[Any]:
    hints = Hints()
    for seen in looks:
        hints = hints.seen(seen)
    space = hints.narrow(read_schema(schema))
    rng = np.random.default_rng(0)
    return [sample(space, rng) for _ in range(times)]


INTEGER: Json = {"type": "integer"}


def test_a_list_that_names_a_member_is_for_that_member() -> None:
    found = all_drawn(
        pair(row=INTEGER, column=INTEGER), look({"legal_rows": [11, 12], "legal_columns": [13]})
    )
    assert {action["row"] for action in found} == {11, 12}
    assert {action["column"] for action in found} == {13}


def test_a_list_without_a_name_is_for_the_needed_members() -> None:
    schema: Json = {
        "type": "object",
        "properties": {"action_id": INTEGER, "frameskip": {"type": "integer"}},
        "required": ["action_id"],
    }
    found = all_drawn(schema, look({"legal_actions": [11, 12]}))
    assert {action["action_id"] for action in found} == {11, 12}
    assert {action.get("frameskip") for action in found} == {None, *range(10)}


def test_a_list_of_something_else_is_for_no_member() -> None:
    found = drawn(member(type="integer"), look({"available_tools": [77]}))
    assert found == set(range(10))


def test_a_range_is_for_the_member_that_the_error_names() -> None:
    error = "row must be between 20 and 22\ncolumn must be between 30 and 31"
    found = all_drawn(pair(row=INTEGER, column=INTEGER), look("", error))
    assert {action["row"] for action in found} == {20, 21, 22}
    assert {action["column"] for action in found} == {30, 31}


def test_ends_that_two_errors_name_are_joined() -> None:
    found = drawn(
        member(type="integer"),
        look("", "Input should be greater than or equal to 20"),
        look("", "Input should be less than or equal to 22"),
    )
    assert found == {20, 21, 22}


def test_a_range_in_the_task_bounds_integers_until_an_error_knows_better() -> None:
    task: Json = {"task": "Guess a number between 40 and 42."}
    assert drawn(member(type="integer"), look(task)) == {40, 41, 42}
    error = "the number must be between 50 and 51"
    assert drawn(member(type="integer"), look(task), look(task, error)) == {50, 51}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "description": "The column (20-22)"}, {20, 21, 22}),
        ({"type": "integer", "description": "3=left, 7=right"}, {3, 7}),
        ({"type": "string", "description": "Yes or No"}, {"Yes", "No"}),
        ({"type": "string", "description": "Kind: click, fill or noop"}, {"click", "fill", "noop"}),
    ],
)
def test_what_the_description_of_a_member_says(schema: Any, expected: set[Json]) -> None:
    assert drawn(member(**schema)) == expected


def test_an_error_inside_an_observation_is_read_as_one() -> None:
    failed: Json = {"error": {"error_type": "invalid_args", "message": "move must be in 20..22"}}
    assert drawn(member(type="integer"), Seen(observation=failed, step=1)) == {20, 21, 22}


def test_the_length_of_a_list_that_an_error_names() -> None:
    schema = member(type="array", items={"type": "number"})
    found = all_drawn(schema, look("", "expected 6 values, got 3"))
    assert {len(action["move"]) for action in found} == {6}


def test_numbers_that_a_text_lists_as_moves_are_the_only_ones_drawn() -> None:
    error = "Invalid action: 7. Valid actions: [20, 21, 23]"
    assert drawn(member(type="integer"), look("", error)) == {20, 21, 23}


def test_prose_after_the_word_moves_is_only_an_idea() -> None:
    text = "Available moves: you may go up, or wait for a while"
    assert len(drawn(member(type="string"), look(text))) > 5


def test_commands_of_the_shape_of_those_shown_are_written() -> None:
    text = "Towers A, B and C. Type the source and the target tower (e.g., '[A C]')."
    found = drawn(member(type="string"), look(text), times=2000)
    assert {f"[{one} {two}]" for one in "ABC" for two in "ABC"} <= found
    text = "Guess the number between 1 and 20. For example, [5]."
    found = drawn(member(type="string"), look(text), times=4000)
    assert {f"[{number}]" for number in range(1, 21)} <= found
