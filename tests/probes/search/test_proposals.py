"""What is worth trying first, worked out of what was seen."""

import itertools
from typing import Any

import numpy as np

from probes.actions.schema import read_schema
from probes.base import Json, Lane
from probes.campaign import Result, Terms
from probes.search.derived import derive
from probes.search.proposals import Proposals
from probes.search.search import Search
from tests.probes.campaigning import episodes


def ranked(schema: Json, *sights: Any, revealed: tuple[Json, ...] = ()) -> list[Json]:
    return Proposals(read_schema(schema), derive(sights), sights[-1], revealed).ranked()


def of(members: dict[str, Any], *, needed: list[Json] | None = None) -> Json:
    return {
        "type": "object",
        "properties": members,
        "required": [*members] if needed is None else needed,
        "additionalProperties": False,
    }


def test_sums_are_worked_out_in_fractions_and_decimals() -> None:
    found = ranked(of({"answer": {"type": "string"}}), {"q": "How much is 1/4 and 1/8?"})[:8]
    assert {"answer": "3/8"} in found
    assert {"answer": "0.375"} in found


def test_an_answer_is_boxed_where_a_box_is_asked_for() -> None:
    asked = {"q": "Write 7/8 as a decimal number.", "format": r"a decimal in \boxed{}"}
    assert ranked(of({"answer": {"type": "string"}}), asked)[0] == {"answer": r"\boxed{0.875}"}


def test_lists_are_ordered_and_turned_round() -> None:
    order: Json = {
        "type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 2},
        "minItems": 3, "maxItems": 3,
    }  # fmt: skip
    parcels = {"parcels": [{"g": 30}, {"g": 10}, {"g": 20}]}
    assert ranked(of({"order": order}), parcels)[:2] == [{"order": [1, 2, 0]}, {"order": [0, 2, 1]}]


def test_lists_of_a_text_are_written_in_their_own_form() -> None:
    found = derive([{"request": "Sort them"}, {"result": "9\n30\n4\n"}]).transformed
    assert found[0] == "4\n9\n30\n"
    assert "9\n39\n43\n" in found


def test_what_a_number_is_the_difference_of_is_told_by_its_name() -> None:
    dose = of({
        "tank": {"enum": ["north", "south"]},
        "litres": {"type": "number", "minimum": -20, "maximum": 20},
    })  # fmt: skip
    tanks = {"north": {"level": 3.0, "wanted": 8.0}, "south": {"level": 9.0, "wanted": 2.0}}
    found = ranked(dose, {"tanks": tanks})
    assert found.index({"tank": "north", "litres": 5.0}) < 12
    assert found.index({"tank": "south", "litres": -7.0}) < 12
    assert found.index({"tank": "north", "litres": 5.0}) < found.index(
        {"tank": "south", "litres": 5.0}
    )


def test_what_a_text_names_side_by_side_comes_first() -> None:
    call = of(
        {
            "tool": {"enum": ["set", "delete", "say"]},
            "key": {"enum": ["colour", "size", "label"]},
            "value": {"type": "string"},
        },
        needed=["tool"],
    )
    request = {"request": "Please: set size to red, delete label, and say when it is done."}
    found = ranked(call, request)
    assert found.index({"tool": "set", "key": "size", "value": "red"}) < 12
    assert found.index({"tool": "delete", "key": "label"}) < 12


def test_a_member_is_taken_for_the_part_that_names_it_and_ids_before_words() -> None:
    fields = of({
        "order": {"type": "string", "description": "Order number"},
        "reply_to": {"type": "string", "description": "Address of the sender"},
    })  # fmt: skip
    letter = {"sender": "ana7@example.org", "body": "The number of my order is QX-12345, please."}
    found = ranked(fields, letter)
    assert found.index({"order": "QX-12345", "reply_to": "ana7@example.org"}) < 12


def test_hostile_sights_are_bounded() -> None:
    deep: Json = "x"
    for _ in range(50):
        deep = {"a": [deep]}
    huge = {"n": [10**400, 1e308, float("inf")], "t": "9/0 " * 9_000, "deep": deep, "l": [0] * 999}
    found = ranked(of({"answer": {"type": "string"}, "n": {"type": "number"}}), huge)
    assert len(found) <= 150


class Riddle:
    """The answer stands nowhere but at the end of an episode."""

    def reset(self) -> Json:
        return {"question": "Who?", "answer": ""}

    def step(self, action: Any) -> tuple[Json, float, bool]:
        return {"question": "", "answer": "Zorro"}, float(action["name"] == "Zorro"), True


def test_what_only_an_end_shows_is_tried_next() -> None:
    lane = Lane(action_schema=of({"name": {"type": "string"}}), tools=None)
    terms = Terms(episodes=20, steps=100, longest=5, top=1.0)
    campaign = Search().campaign(lane, np.random.default_rng(0), terms)
    scores = episodes(campaign, Riddle, 1)
    assert scores == [0.0]
    campaign.ended(Result(score=0.0, reward=0.0, done=True, observation={"answer": "Zorro"}))
    assert campaign.memory.endings.revealed[0] == "Zorro"
    assert max(episodes(campaign, Riddle, 4)) == 1.0


class Desk:
    """What was done counts only when one says so."""

    ids = itertools.count()

    def reset(self) -> Json:
        self.done: list[str] = []
        return {"request": "Switch the lamp", "result": ""}

    def step(self, action: Any) -> tuple[Json, float, bool]:
        if action["do"] == "end":
            return {"result": "bye"}, float(self.done == ["c"]), True
        self.done.append(action["do"])
        return {"request": "Switch the lamp", "result": " ".join(self.done)}, 0.0, False


def test_an_action_that_ends_episodes_is_tried_after_what_is_new() -> None:
    lane = Lane(action_schema=of({"do": {"enum": ["end", *"abcde"]}}), tools=None)
    for seed in range(3):
        terms = Terms(episodes=200, steps=3_000, longest=6, top=1.0)
        campaign = Search().campaign(lane, np.random.default_rng(seed), terms)
        episodes(campaign, Desk, 200)
        assert set(campaign.memory.endings.enders) <= {'{"do": "end"}'}
        assert campaign.best == 1.0


def test_a_short_word_may_be_a_value_and_a_function_word_hardly_is() -> None:
    call = of({"key": {"enum": ["hat", "bag"]}, "value": {"type": "string"}})
    found = ranked(call, {"ask": "Please set the hat to red and say when it is done."})
    assert found[0] == {"key": "hat", "value": "red"}
    assert found.index({"key": "hat", "value": "done"}) < found.index(
        {"key": "hat", "value": "the"}
    )


class Vault:
    """Two things must be done before the end; nothing that is seen tells whether they were."""

    def reset(self) -> Json:
        self.done: set[str] = set()
        return {"said": "ready"}

    def step(self, action: Any) -> tuple[Json, float, bool]:
        if action["do"] == "end":
            return {"said": "bye"}, float(self.done == {"a", "b"}), True
        self.done.add(action["do"])
        return {"said": "fine"}, 0.0, False


def test_where_nothing_new_is_seen_any_more_what_was_done_makes_the_difference() -> None:
    lane = Lane(action_schema=of({"do": {"enum": ["end", *"abcd"]}}), tools=None)
    for seed in range(3):
        terms = Terms(episodes=150, steps=3_000, longest=5, top=1.0)
        campaign = Search().campaign(lane, np.random.default_rng(seed), terms)
        episodes(campaign, Vault, 150)
        assert campaign.best == 1.0
