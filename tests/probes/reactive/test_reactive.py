"""reactive: each rule on an observation that calls for it."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane, Seen
from probes.reactive.options import lettered, wants
from probes.reactive.reader import GUESS, Reactive
from probes.reactive.sums import sums_in


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


TEXT = {"type": "string"}
ORDER = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0, "maximum": 2},
    "minItems": 3,
    "maxItems": 3,
}


def answers(where: Json, observation: Json, tools: Any = None) -> Counter[str]:
    """Return what is answered first, over two hundred episodes."""
    found: Counter[str] = Counter()
    for seed in range(200):
        lane = Lane(action_schema=where, tools=tools)
        agent: Any = Reactive().begin(lane, np.random.default_rng(seed))
        found[str(agent.act(Seen(observation=observation, step=0)))] += 1
    return found


@pytest.mark.parametrize(
    ("where", "observation", "right"),
    [
        (schema(answer=TEXT), {"question": "What is 12 + 30?"}, {"answer": "42"}),
        (schema(value={"type": "integer"}), "12 times 3", {"value": 36}),
        (schema(answer=TEXT), "How much is 7 - 10?", {"answer": "-3"}),
        (schema(card={"type": "integer", "minimum": 0, "maximum": 2}), {"n": [4, 9, 2]},
         {"card": 1}),
        (schema(card={"type": "integer", "minimum": 0, "maximum": 2}),
         {"n": [4, 9, 2], "rule": "take the smallest"}, {"card": 2}),
        (schema(order=ORDER | {"description": "lightest first"}),
         {"parcels": [{"g": 30}, {"g": 10}, {"g": 20}]}, {"order": [1, 2, 0]}),
        (schema(target={"type": "array", "items": {"type": "number"}}),
         {"target": [0.5, 1.5]}, {"target": [0.5, 1.5]}),
        (schema(x={"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
         {"goal": [0.5, 1.5]}, {"x": [0.5, 1.5]}),
        (schema(order_id=TEXT, note=TEXT), {"order_id": "AB-1", "note": "x", "b": 2},
         {"order_id": "AB-1", "note": "x"}),
        (schema(move={"enum": ["up", "down", "left"]}), {"legal_moves": ["left"]},
         {"move": "left"}),
    ],
)  # fmt: skip
def test_what_is_offered_is_taken(where: Json, observation: Json, right: Json) -> None:
    [(first, times), *_] = answers(where, observation).most_common()
    assert first == str(right)
    assert times > 200 * (1 - 2 * GUESS)


def test_a_lettered_option_is_answered_by_its_letter() -> None:
    text = "Which is a fruit?\nA) stone\nB) plum\nC) chair"
    found = answers(schema(answer=TEXT), {"question": text})
    letters = [found[str({"answer": letter})] for letter in "ABC"]
    assert all(40 < times < 90 for times in letters)


def test_where_the_schema_names_the_words_nothing_else_is_copied() -> None:
    where = schema(answer=TEXT | {"description": "Yes or No"})
    found = answers(where, {"question": "Is 'Rex' a dog?"})
    assert {*found} == {str({"answer": word}) for word in ("Yes", "No")}


def test_the_same_sight_again_is_answered_by_the_next_idea() -> None:
    where = Lane(action_schema=schema(number={"type": "integer"}), tools=None)
    agent: Any = Reactive().begin(where, np.random.default_rng(1))
    seen = [Seen(observation="3, 5 or 8?", step=step, reward=0.1) for step in range(3)]
    assert [agent.act(one)["number"] for one in seen] == [8, 5, 3]


def test_rules_that_earn_nothing_are_doubted() -> None:
    where = Lane(action_schema=schema(level={"type": "integer"}), tools=None)
    agent: Any = Reactive().begin(where, np.random.default_rng(0))
    counts = {}
    for paid in (0.0, 1.0):
        seen = [Seen(observation={"level": 77, "t": t}, step=t, reward=paid) for t in range(1, 300)]
        counts[paid] = [agent.act(one)["level"] for one in seen].count(77)
    assert 100 < counts[0.0] < 200
    assert counts[1.0] > 240


def test_where_nothing_is_offered_it_plays_at_random() -> None:
    found = answers(schema(move={"enum": ["up", "down"]}), {"position": 3, "goal": 5})
    assert {*found} == {str({"move": move}) for move in ("up", "down")}
    assert 70 < found[str({"move": "up"})] < 130


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is 2 + 3 * 4?", ["12"]),
        ("1/2 - 1/3", ["1/6"]),
        ("1.5 plus 2", ["3.5"]),
        ("the sum of 2 and 3, the product of 4 and 5", ["20", "5"]),
        ("born 1871-1902 in room 12b", ["-31"]),
        ("no numbers + here", []),
        ("1/0 + 2", []),
    ],
)
def test_sums(text: str, found: list[str]) -> None:
    assert list(sums_in(text)) == found


def test_options_and_ends() -> None:
    assert lettered("1. one\n2. two") == ["1", "2"]
    assert lettered("A) alone") == []
    assert wants("the largest of the smallest") == (True, False)


def test_hostile_observations_end_in_an_action() -> None:
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    hostile: list[Json] = [
        deep, {"answer": "x" * 1_000_000}, ["a" * 50] * 20_000, 10**400, {"answer": 10**400},
        "1 + " * 50_000, "A) x\n" * 50_000, [[10**400, 2]], {"n": [1e308, -1e308]}, None, True,
    ]  # fmt: skip
    for observation in hostile:
        for where in (schema(answer=TEXT), schema(n={"type": "integer"}), schema(answer=ORDER)):
            agent: Any = Reactive().begin(
                Lane(action_schema=where, tools=None), np.random.default_rng(0)
            )
            for step in range(3):
                assert agent.act(Seen(observation=observation, step=step))
