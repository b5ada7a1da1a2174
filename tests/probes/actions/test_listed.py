"""Legal moves are found under the names and in the phrases that environments use."""

import pytest

from probes.actions.listed import (
    LARGEST_COUNT,
    MOST,
    Moves,
    listed_moves,
    moves_in_text,
    words_named,
)
from probes.base import Json


@pytest.mark.parametrize(
    ("observation", "values", "member"),
    [
        ({"legal_actions": [3, 5]}, (3, 5), ""),
        ({"info": {"valid_moves": ["e2e4"]}}, ("e2e4",), ""),
        ({"admissible_commands": ["look"]}, ("look",), ""),
        ({"action_mask": [0, 1, True, 0]}, (1, 2), ""),
        ({"legal_actions_mask": [1, 0]}, (0,), ""),
        ({"legal_columns": [1]}, (1,), "column"),
        ({"available_letters": ["q"]}, ("q",), "letter"),
        ({"options": {"A": "red", "B": "blue"}}, ("A", "B"), ""),
        ({"legal_moves": {"0": "left", "1": "right"}}, ("0", 0, "1", 1), ""),
        ({"num_actions": 3}, (0, 1, 2), ""),
        ({"action_space": "Discrete(3)"}, (0, 1, 2), ""),
        ({"action_space": {"type": "discrete", "n": 2}}, (0, 1), ""),
        ({"steps": [{"legal_moves": [7]}]}, (7,), ""),
    ],
)
def test_a_list_of_moves(observation: Json, values: tuple[Json, ...], member: str) -> None:
    assert listed_moves(observation) == (Moves(values=values, member=member),)


@pytest.mark.parametrize(
    "observation",
    [
        {"board": [0, 1]},
        {"legal_actions": 3},
        {"valid": True},
        {"legal_actions": []},
        {"num_actions": -1},
        {"num_actions": True},
        {"num_actions": LARGEST_COUNT + 1},
        {"action_space": "Box(-1.0, 1.0, (3,), float32)"},
        "legal_actions",
        None,
    ],
)
def test_what_is_no_list_of_moves(observation: Json) -> None:
    assert listed_moves(observation) == ()


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Available Moves: '[0]', '[1]', '[2]'", ("[0]", "[1]", "[2]")),
        ("Valid actions: [up], [down]", ("[up]", "[down]")),
        ("Invalid action: 7. Valid actions: [0, 1, 3]", ("0", "1", "3")),
        ("Legal moves: e2e4 d2d4", ("e2e4", "d2d4")),
        ("Available commands: look, go north or take lamp", ("look", "go north", "take lamp")),
        ("Valid moves: a, b\nlater\nValid moves: c, d", ("c", "d")),
        ("Valid moves: none", ()),
        ("no moves here", ()),
    ],
)
def test_moves_named_in_a_text(text: str, moves: tuple[str, ...]) -> None:
    assert moves_in_text(text) == moves


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("Input should be 'up', 'down' or 'left'", ("up", "down", "left")),
        ('expected one of ["a", "b"]', ("a", "b")),
        ("must be one of: 'yes', 'no'", ("yes", "no")),
        ("unknown word 'x'", ()),
    ],
)
def test_words_that_an_error_calls_legal(error: str, words: tuple[str, ...]) -> None:
    assert words_named(error) == words


def test_a_hostile_observation_is_looked_at_in_part() -> None:
    wide: Json = {f"k{n}": [{"legal_moves": list(range(10**4))}] for n in range(10**3)}
    found = listed_moves(wide)
    assert len(found) == 20
    assert all(len(moves.values) == MOST for moves in found)
    deep: Json = {"legal_moves": [1]}
    for _ in range(500):
        deep = {"x": deep}
    assert listed_moves(deep) == ()
