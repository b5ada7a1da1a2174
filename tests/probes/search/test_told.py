"""A search reads what tools reply, keeps what they told, and chains calls of them."""

from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane
from probes.campaign import Terms
from probes.search.cells import leaves_of
from probes.search.derived import derive
from probes.search.search import Search
from probes.search.told import Facts, is_failed, is_reply, told
from tests.probes.campaigning import episodes

CALL: Json = {
    "type": "object",
    "properties": {
        "type": {"const": "call_tool"},
        "tool_name": {"type": "string"},
        "arguments": {"type": "object"},
    },
    "required": ["tool_name", "arguments"],
}


def reply(value: Json, tool: str = "look") -> dict[str, Json]:
    """What the stock server makes of the value of a tool."""
    return {
        "metadata": {},
        "tool_name": tool,
        "result": {
            "content": [{"type": "text", "text": str(value), "annotations": None, "meta": None}],
            "structured_content": {"result": value},
            "meta": {"fastmcp": {"wrap_result": True}},
            "data": value,
            "is_error": False,
        },
        "error": None,
    }


def tool(name: str, **kinds: str) -> dict[str, Json]:
    schema: Json = {
        "type": "object",
        "properties": {one: {"type": kind} for one, kind in kinds.items()},
        "required": [*kinds],
        "additionalProperties": False,
    }
    return {"name": name, "description": "", "input_schema": schema}


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (reply([{"n": 1}])["result"], [{"n": 1}]),
        ({"structured_content": {"a": 1, "b": 2}}, {"a": 1, "b": 2}),
        ({"content": [{"type": "text", "text": '{"a": 1}'}]}, {"a": 1}),
        ({"content": [{"text": "one"}, {"text": "two"}, {"image": 3}, 4]}, ["one", "two"]),
        ({"content": 7}, {"content": 7}),
        ("[broken", "[broken"),
        (None, None),
    ],
)
def test_the_envelope_of_a_reply_is_taken_off(result: Json, said: Json) -> None:
    assert told({"tool_name": "look", "result": result, "error": None}) == {
        "error": None,
        "result": said,
    }


def test_what_is_no_reply_is_left_as_it_is() -> None:
    sights: list[Json] = [{"result": 3}, "text", [1], None, {"tool_name": "x"}]
    for sight in sights:
        assert told(sight) is sight
        assert not is_failed(sight)
        assert not is_reply(leaves_of(sight))
    assert is_reply(leaves_of(reply("fine")))
    assert is_failed(reply("Error: no such thing"))
    assert not is_failed(reply("3 errors were found"))


def test_facts_are_what_no_sight_and_no_action_had_before() -> None:
    facts = Facts()
    assert not facts.note({"wish": "tea for 3 guests"}, None)
    assert facts.note(reply("tea: 2 g of leaves a guest"), {"name": "tea"})
    assert not facts.note(reply("6 g of sugar"), {"what": "sugar", "n": 6}), "it says it after one"
    assert not facts.note(reply("tea: 2 g of leaves a guest"), {"name": "tea"}), "told before"
    assert facts.kept == [told(reply("tea: 2 g of leaves a guest"))]


def test_so_much_each_is_multiplied_by_so_many() -> None:
    found = derive([{"wish": "tea for 3 guests"}, {"card": "2 g of leaves a guest, 90 g of water"}])
    assert [int(number) for number in found.scaled] == [6]
    assert {"leaves", "guests"} <= found.beside[found.scaled[0]]


def test_an_element_that_the_first_sight_describes_comes_first() -> None:
    rooms: Json = [
        {"code": 31, "beds": 2, "side": "north"},
        {"code": 47, "beds": 3, "side": "south"},
        {"code": 58, "beds": 2, "side": "south"},
    ]
    found = derive([{"wish": "2 beds to the south, 3 nights"}, {"result": rooms}])
    assert found.members["code"][0] == 58
    assert "code" in found.named


class Bakery:
    """What goes into the dough is told by one tool, put in by another, and counts at a third."""

    def reset(self) -> Json:
        self.bowl: dict[str, int] = {}
        return {"metadata": {}, "task": "farmhouse for 4 trays"}

    def step(self, action: Any) -> tuple[Json, float, bool]:
        given = action["arguments"]
        match action["tool_name"]:
            case "lookup":
                known = given["title"] == "farmhouse"
                said = "70 g of rye on a tray, 15 g of seed on a tray" if known else "error: none"
                return reply(said), 0.0, False
            case "pour":
                self.bowl[given["stuff"]] = given["amount"]
                return reply(f"{given['amount']} g of {given['stuff']}"), 0.0, False
        right = {"rye": 280, "seed": 60}
        paid = sum(self.bowl.get(name) == grams for name, grams in right.items()) / 2
        return reply("baked"), paid if set(self.bowl) <= set(right) else 0.0, True


@pytest.mark.parametrize("seed", range(3))
def test_the_output_of_one_tool_is_put_into_another(seed: int) -> None:
    tools = (
        tool("lookup", title="string"), tool("pour", stuff="string", amount="integer"),
        tool("bake"),
    )  # fmt: skip
    terms = Terms(episodes=100, steps=3_000, longest=9, top=1.0)
    lane = Lane(action_schema=CALL, tools=tools)
    campaign = Search().campaign(lane, np.random.default_rng(seed), terms)
    episodes(campaign, Bakery, 100)
    assert campaign.best == 1.0
