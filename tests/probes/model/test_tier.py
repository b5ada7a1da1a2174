"""A language model as a probe, against an endpoint that follows a script."""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane, Seen, Stuck, Unplayable
from probes.model.cache import Cache
from probes.model.endpoint import Pace, Place
from probes.model.ledger import Budget, Prices
from probes.model.prompt import Bounds
from probes.model.tier import ModelProbe, Tier
from tests.servers.endpoint import KEY, Answer, Script, Scripted, completion, error, held, says

SCHEMA: Json = {
    "type": "object",
    "properties": {"move": {"enum": ["up", "down"]}, "metadata": {"type": "object"}},
    "required": ["move"],
    "additionalProperties": False,
}
TEXT: Json = {
    "type": "object",
    "properties": {"message": {"type": "string"}},
    "required": ["message"],
}
TOOLS: tuple[dict[str, Json], ...] = (
    {
        "name": "look",
        "description": "Look at a thing",
        "input_schema": {
            "type": "object",
            "properties": {"thing": {"type": "string"}},
            "required": ["thing"],
        },
    },
    {"name": "wait", "description": "", "input_schema": {"type": "object", "properties": {}}},
)
QUICK = Pace(concurrency=2, call_seconds=5.0, patience_seconds=5.0)


def probe_at(url: str, *, cache: Path | None = None, key: str = "", **told: Any) -> ModelProbe:
    place = Place.read(url, key=key, key_variable="MODEL_KEY")
    return ModelProbe(Tier(**{"name": "x", "pace": QUICK, **told}), place, Cache(cache))


def plays(probe: ModelProbe, *looks: Seen, lane: Lane | None = None) -> list[Json]:
    """Play one episode and return the actions."""

    async def episode() -> list[Json]:
        agent = probe.begin(
            lane or Lane(action_schema=SCHEMA, tools=None), np.random.default_rng(0)
        )
        try:
            return [await agent.act(seen) for seen in looks]
        finally:
            await agent.close()
            await probe.close()

    return asyncio.run(episode())


def seen(step: int = 0, observation: Json = "a door", **more: Any) -> Seen:
    return Seen(observation=observation, step=step, **more)


def test_the_action_schema_is_what_replies_are_held_to() -> None:
    with Scripted(says({"move": "down"})) as endpoint:
        probe = probe_at(endpoint.url)
        assert plays(probe, seen(), seen(1, reward=0.5)) == [{"move": "down"}] * 2
    held_to = endpoint.requests[1]["response_format"]["json_schema"]
    assert held_to["strict"] is True
    assert held_to["schema"] == {
        "type": "object",
        "properties": {"move": {"enum": ["up", "down"]}},
        "required": ["move"],
        "additionalProperties": False,
    }
    assert endpoint.requests[1]["model"] == "tiny-1"
    assert endpoint.requests[1]["temperature"] == 0
    assert probe.version == "1 tiny-1 schema t=0"
    assert probe.ledger.served == {"tiny-1": 3}
    first, second = endpoint.requests[1]["messages"], endpoint.requests[2]["messages"]
    assert second[: len(first)] == first
    assert second[-1]["content"] == "Reward of your last action: 0.5\na door"


def test_tools_are_offered_as_calls_of_them() -> None:
    lane = Lane(action_schema={"type": "object"}, tools=TOOLS)
    call = {"call": {"tool": "look", "arguments": {"thing": "lamp"}}}
    with Scripted(says(call)) as endpoint:
        found = plays(probe_at(endpoint.url), seen(), lane=lane)
    assert found == [{"type": "call_tool", "tool_name": "look", "arguments": {"thing": "lamp"}}]
    options = endpoint.requests[1]["response_format"]["json_schema"]["schema"]["properties"]["call"]
    assert [one["properties"]["tool"] for one in options["anyOf"]] == [
        {"enum": ["look"]},
        {"enum": ["wait"]},
    ]


def test_an_endpoint_without_schemas_is_asked_by_tools_then_by_words() -> None:
    def by_tools(body: dict[str, Any], number: int) -> Answer:
        if "tools" in body:
            name = body["tools"][0]["function"]["name"]
            given = '{"word": "zebra-7"}' if name == "wave" else '{"move": "up"}'
            return completion(None, calls=[(name, given)])
        return completion("Hello!")

    with Scripted(by_tools) as endpoint:
        probe = probe_at(endpoint.url)
        assert plays(probe, seen()) == [{"move": "up"}]
    assert probe.mode == "tools"
    with Scripted(
        lambda body, number: completion('Sure:\n```json\n{"move": "up"}\n```')
    ) as endpoint:
        probe = probe_at(endpoint.url)
        assert plays(probe, seen()) == [{"move": "up"}]
    assert probe.mode == "text"
    assert "response_format" not in endpoint.requests[-1]


def test_a_schema_that_is_not_taken_is_given_up_for_the_next_mode() -> None:
    def picky(body: dict[str, Any], number: int) -> Answer:
        if "response_format" in body and not held(body):
            return error(400, "Invalid schema for response_format")
        if "tools" in body:
            return completion(None, calls=[("act", '{"move": "down"}')])
        return completion(held(body))

    with Scripted(picky) as endpoint:
        probe = probe_at(endpoint.url)
        assert plays(probe, seen()) == [{"move": "down"}]
    assert probe.version == "1 tiny-1 tools t=0"


def test_what_an_endpoint_does_not_know_is_left_out() -> None:
    def modern(body: dict[str, Any], number: int) -> Answer:
        if "max_tokens" in body:
            return error(400, "Use max_completion_tokens instead of max_tokens")
        if "seed" in body:
            return error(400, "Unknown parameter: seed")
        return completion(held(body) or '{"move": "up"}')

    with Scripted(modern) as endpoint:
        assert plays(probe_at(endpoint.url), seen()) == [{"move": "up"}]
    assert endpoint.requests[-1]["max_completion_tokens"] == 256


def test_a_rerun_asks_nothing_and_counts_as_much(tmp_path: Path) -> None:
    kept = tmp_path / "home" / "replies.sqlite"
    with Scripted(says({"move": "up"})) as endpoint:
        first = probe_at(endpoint.url, cache=kept, prices=Prices(prompt=1.0, completion=2.0))
        assert plays(first, seen()) == [{"move": "up"}]
        asked = len(endpoint.requests)
        again = probe_at(endpoint.url, cache=kept, prices=Prices(prompt=1.0, completion=2.0))
        assert plays(again, seen()) == [{"move": "up"}]
        assert len(endpoint.requests) == asked == 2
        other = probe_at(endpoint.url, cache=kept, temperature=0.5)
        plays(other, seen())
        assert len(endpoint.requests) > asked
    assert first.ledger.used == again.ledger.used == first.ledger.fresh
    assert again.ledger.fresh.calls == 0
    assert first.ledger.used.tokens == 2 * 15
    assert first.ledger.used.money(first.ledger.prices) == pytest.approx(2 * 20 / 1e6)


def test_equal_questions_at_once_are_one(tmp_path: Path) -> None:
    """Else a rerun, which knows one reply only, would play other episodes."""

    def numbered(body: dict[str, Any], number: int) -> Answer:
        return completion(held(body) or json.dumps({"message": f"number {number}"}))

    with Scripted(numbered) as endpoint:
        probe = probe_at(endpoint.url, cache=tmp_path / "replies.sqlite")
        lane = Lane(action_schema=TEXT, tools=None)

        async def crowd() -> list[Json]:
            agents = [probe.begin(lane, np.random.default_rng(n)) for n in range(5)]
            found = await asyncio.gather(*(agent.act(seen()) for agent in agents))
            await probe.close()
            return list(found)

        found = asyncio.run(crowd())
    assert found == [{"message": "number 1"}] * 5
    assert (probe.ledger.used.calls, probe.ledger.fresh.calls) == (6, 2)


def test_a_cache_that_cannot_be_used_breaks_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "replies.sqlite"
    broken.write_bytes(b"no database" * 1000)
    with Scripted(says({"move": "up"})) as endpoint:
        assert plays(probe_at(endpoint.url, cache=broken), seen()) == [{"move": "up"}]


def test_a_model_that_is_loading_or_busy_is_waited_for() -> None:
    def late(body: dict[str, Any], number: int) -> Answer:
        if number == 0:
            return error(503, "Loading model")
        if number == 1:
            return error(429, "slow down", Retry_After="0")
        return completion(held(body) or '{"move": "up"}')

    with Scripted(late) as endpoint:
        probe = probe_at(endpoint.url)
        assert plays(probe, seen()) == [{"move": "up"}]
    assert probe.ledger.retries == 2


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (lambda body, number: error(503, "Loading model"), "answered status 503 Loading model"),
        (lambda body, number: error(429, "no", Retry_After="999"), "answered status 429 no"),
        (lambda body, number: Answer(body=b'{"choices": [{"mess'), "answered what is no JSON"),
        (lambda body, number: Answer(body={"error": "?"}), "without a choice"),
        (lambda body, number: Answer(body=b"x" * (5 * 2**20)), "more than 4194304 bytes"),
        (lambda body, number: error(401, "bad key"), "wants a key: set $MODEL_KEY"),
        (lambda body, number: error(404, "no such model"), "status 404: no such model"),
        (lambda body, number: Answer(body=b"{}" * 50, pause=0.05), "no whole answer within 0.3 s"),
        (
            lambda body, number: Answer(body=b"x", headers={"Content-Encoding": "gzip"}),
            "packs its answers",
        ),
    ],
)  # fmt: skip
def test_an_endpoint_that_cannot_be_used_ends_its_rung_with_the_reason(
    script: Script, why: str
) -> None:
    pace = Pace(call_seconds=0.3, patience_seconds=0.2)
    with Scripted(script) as endpoint:
        probe = probe_at(endpoint.url, pace=pace)
        with pytest.raises(Unplayable) as caught:
            plays(probe, seen())
        assert not isinstance(caught.value, Stuck)
        assert why in str(caught.value)
        asked = len(endpoint.requests)
        with pytest.raises(Unplayable):
            plays(probe, seen())
        assert len(endpoint.requests) == asked, "an endpoint that is gone is not asked again"


def test_nobody_there_ends_the_rung() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        probe = probe_at(url, pace=Pace(patience_seconds=0.1))
        with pytest.raises(Unplayable, match=r"gave no answer \(ConnectError\)"):
            plays(probe, seen())


def test_a_reply_without_an_action_is_pointed_out_once() -> None:
    def learns(body: dict[str, Any], number: int) -> Answer:
        if held(body):
            return completion(held(body))
        corrected = "That was no action" in body["messages"][-1]["content"]
        return completion('{"move": "up"}' if corrected else '{"move": "u', finish="length")

    with Scripted(learns) as endpoint:
        probe = probe_at(endpoint.url)
        assert plays(probe, seen()) == [{"move": "up"}]
    assert probe.ledger.unreadable == 1
    assert "it ends before the JSON object does" in endpoint.requests[-1]["messages"][-1]["content"]


def test_a_refusal_ends_the_episode_and_three_the_rung() -> None:
    def refuses(body: dict[str, Any], number: int) -> Answer:
        return completion(held(body)) if held(body) else completion(None, refusal="I cannot help.")

    with Scripted(refuses) as endpoint:
        probe = probe_at(endpoint.url)
        for _ in range(3):
            with pytest.raises(Stuck, match=r"the model refuses: I cannot help\."):
                plays(probe, seen())
        with pytest.raises(Unplayable, match="3 episodes in a row ended without an action"):
            plays(probe, seen())
    assert probe.ledger.refusals == 3
    assert len(endpoint.requests) == 1 + 3, "a refusal is not argued with"


@pytest.mark.parametrize(
    ("budget", "prices", "why"),
    [
        (Budget(calls=2), None, "budget of 2 calls is spent"),
        (Budget(tokens=30), None, "budget of 30 tokens is spent"),
        (Budget(money=2e-5), Prices(prompt=1.0, completion=1.0), "budget of 2e-05 money is spent"),
        (Budget(seconds=1e-9), None, "budget of 1e-09 seconds is spent"),
    ],
)
def test_a_budget_ends_the_rung_when_it_is_spent(
    budget: Budget, prices: Prices | None, why: str
) -> None:
    with Scripted(says({"move": "up"})) as endpoint:
        probe = probe_at(endpoint.url, budget=budget, prices=prices)
        with pytest.raises(Unplayable, match=why):
            plays(probe, *[seen(step) for step in range(5)])
    assert len(endpoint.requests) <= 2


def test_the_key_is_sent_and_stands_nowhere_else(tmp_path: Path) -> None:
    def echoes(body: dict[str, Any], number: int) -> Answer:
        return completion(held(body) or json.dumps({"message": f"my key is {KEY}"}))

    kept = tmp_path / "replies.sqlite"
    lane = Lane(action_schema=TEXT, tools=None)
    with Scripted(echoes) as endpoint:
        probe = probe_at(endpoint.url, cache=kept, key=KEY)
        found = plays(probe, seen(), lane=lane)
        assert endpoint.headers[-1]["authorization"] == f"Bearer {KEY}"
    assert found == [{"message": "my key is [key]"}]
    assert KEY.encode() not in kept.read_bytes()
    assert KEY not in repr(vars(probe)) + repr(Place.read(endpoint.url, key=KEY))
    with (
        Scripted(lambda body, number: error(403, f"key {KEY} is wrong")) as endpoint,
        pytest.raises(Unplayable) as caught,
    ):
        plays(probe_at(endpoint.url, key=KEY), seen(), lane=lane)
    assert "does not take the key in $MODEL_KEY" in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_megabyte_of_text_is_cut_with_a_mark() -> None:
    with Scripted(says({"move": "up"})) as endpoint:
        text = "begin " + "x" * 10**6 + " end"
        assert plays(probe_at(endpoint.url), seen(observation={"page": text})) == [{"move": "up"}]
    shown = endpoint.requests[-1]["messages"][-1]["content"]
    assert len(shown) < 6_200
    assert "characters left out …]" in shown
    assert "begin" in shown[:30]
    assert shown.endswith("end")


def test_what_is_too_long_for_the_model_is_told_shorter() -> None:
    def small(body: dict[str, Any], number: int) -> Answer:
        size = sum(len(message["content"]) for message in body["messages"])
        if size > 2_500:
            return error(400, "the request exceeds the available context size")
        return completion(held(body) or '{"move": "up"}')

    with Scripted(small) as endpoint:
        probe = probe_at(endpoint.url, bounds=Bounds(observation=6_000, whole=8_000))
        assert plays(probe, seen(observation="y" * 7_000)) == [{"move": "up"}]
    assert probe.mode == "schema"


def test_repeats_ask_with_other_seeds_where_chance_is_wanted() -> None:
    with Scripted(says({"move": "up"})) as endpoint:
        probe = probe_at(endpoint.url, temperature=0.7)
        lane = Lane(action_schema=SCHEMA, tools=None)

        async def episodes() -> None:
            for number in (1, 2, 1):
                agent = probe.begin(lane, np.random.default_rng(number))
                await agent.act(seen())
            await probe.close()

        asyncio.run(episodes())
    one, two, again = [request["seed"] for request in endpoint.requests[1:]]
    assert one == again != two


def test_a_space_that_nothing_can_be_drawn_from_ends_the_rung_unasked() -> None:
    with Scripted(says({})) as endpoint, pytest.raises(Unplayable):
        plays(probe_at(endpoint.url), seen(), lane=Lane(action_schema=None, tools=None))
    assert endpoint.requests == []


@pytest.mark.parametrize(
    "usage",
    [None, {"prompt_tokens": -1}, {"prompt_tokens": True}, {"prompt_tokens": 1e300}, "many"],
)
def test_tokens_that_are_no_count_are_none(usage: Any) -> None:
    def odd(body: dict[str, Any], number: int) -> Answer:
        answer = completion(held(body) or '{"move": "up"}', usage=None)
        answer.body["usage"] = usage
        return answer

    with Scripted(odd) as endpoint:
        probe = probe_at(endpoint.url)
        plays(probe, seen())
    assert (probe.ledger.used.tokens, probe.ledger.used.unmetered) == (0, 2)


@pytest.mark.parametrize(
    "url", ["ftp://x/v1", "http://", "http://u:p@host/v1", "http://host/v1?key=1", "http://h:99999"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"is no address|holds a password|has a query"):
        Place.read(url)


def test_an_endpoint_with_no_list_needs_a_model_id() -> None:
    with Scripted(says({"move": "up"}), models=error(404, "no")) as endpoint:
        with pytest.raises(Unplayable, match="name one after a #"):
            plays(probe_at(endpoint.url), seen())
        assert plays(probe_at(endpoint.url, model="mine"), seen()) == [{"move": "up"}]
    assert endpoint.requests[-1]["model"] == "mine"
