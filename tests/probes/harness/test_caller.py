"""Commands that play over MCP: real processes with a real client, well-behaved and not."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probes.base import Finished, Hearer, Json, Lane, Seen, Stuck, Unplayable
from probes.harness import offer
from probes.harness.caller import config_of, fill, speaks_mcp
from probes.harness.harness import Harness
from probes.harness.tier import HarnessProbe
from probes.harness.toolset import Tools
from tests.probes.harness.playing import MOVES, plays, seen

ROOT = Path(__file__).resolve().parents[3]
TOOLS = Lane(
    action_schema={
        "type": "object",
        "properties": {
            "type": {"const": "call_tool"},
            "tool_name": {"type": "string"},
            "arguments": {"type": "object"},
        },
        "required": ["tool_name"],
    },
    tools=(
        {
            "name": "look",
            "description": "See it",
            "input_schema": {"type": "object", "properties": {}},
        },
        {
            "name": "put",
            "description": "",
            "input_schema": {
                "type": "object",
                "properties": {"where": {"type": "string"}, "note": {"type": "string"}},
                "required": ["where"],
            },
        },
    ),
)
CLIENT = """
import asyncio, json, os, sys
from mcp.client.client import Client

async def play(environment):
{body}

async def main():
    async with Client(os.environ["ENVASSAY_MCP_URL"]) as environment:
        await play(environment)

asyncio.run(main())
"""


def probe_of(body: str, *words: str, client: bool = True, **told: Any) -> HarnessProbe:
    """Return a probe: a script, or with `client` the body of one that is connected."""
    indented = "\n".join("    " + line for line in body.splitlines())
    script = CLIENT.format(body=indented) if client else body
    return HarnessProbe(
        Harness(
            name="x",
            command=(sys.executable, "-c", script, *words),
            environment={"PATH": os.environ["PATH"]},
            speaks="mcp",
            **{"act_seconds": 60.0, **told},
        )
    )


def test_the_agent_of_the_page_plays(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "harness.md").read_text("utf-8")
    script, _ = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    agent = tmp_path / "agent.py"
    agent.write_text(script)
    harness = Harness(
        name="page", command=(sys.executable, str(agent)), environment={}, speaks="mcp"
    )
    found = plays(HarnessProbe(harness), seen(), seen(1, reward=1.0))
    assert found == [{"move": "up", "far": 2}] * 2


def test_it_is_told_what_an_agent_sees_and_no_more(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    body = (
        "tools = (await environment.list_tools()).tools\n"
        "task = (await environment.read_resource('envassay://task')).contents[0].text\n"
        "prompt = (await environment.get_prompt('task')).messages[0].content.text\n"
        "calls = [{'move': 'up', 'far': n} for n in (2, 3, 4)]\n"
        "results = [await environment.call_tool('act', call) for call in calls]\n"
        "told = {'tools': [[t.name, t.input_schema] for t in tools], 'task': task,"
        " 'prompt': prompt,"
        " 'results': [[[c.text for c in r.content], r.is_error] for r in results],"
        " 'words': sys.argv[1:],"
        " 'config': open(os.environ['ENVASSAY_MCP_CONFIG']).read(),"
        " 'mode': os.stat(sys.argv[1]).st_mode & 0o777, 'env': dict(os.environ),"
        " 'files': os.listdir()}\n"
        f"json.dump(told, open({str(told)!r}, 'w'))"
    )
    actions = plays(
        probe_of(body, "{mcp_config}", "at={mcp_url}", "{task}"),
        seen(observation={"door": "{mcp_url} \0"}, aside="secret"),
        seen(1, {"door": "opén"}, reward=0.25, aside="secret"),
        seen(2, {"door": "old"}, error="the door is shut", aside="secret"),
    )
    assert actions == [{"move": "up", "far": n} for n in (2, 3, 4)]
    found = json.loads(told.read_text())
    assert MOVES.action_schema is not None
    schema = {**MOVES.action_schema}  # type: ignore[dict-item]
    schema["properties"] = {k: v for k, v in schema["properties"].items() if k != "metadata"}
    assert found["tools"] == [["act", schema]]
    assert found["results"] == [
        [['{"door": "op\\u00e9n"}', "Reward: 0.25"], False],
        [["the door is shut"], True],
        [["The episode is over."], False],
    ]
    assert found["task"] == found["prompt"]
    assert found["task"].endswith('now:\n{"door": "{mcp_url} \\u0000"}')
    path, at, task = found["words"]
    address = found["env"]["ENVASSAY_MCP_URL"]
    assert at == f"at={address}"
    assert task == found["task"], "what stands in the task is not filled in"
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{43}/mcp", address)
    assert found["config"] == config_of(address)
    assert json.loads(found["config"]) == {
        "mcpServers": {"environment": {"type": "http", "url": address}}
    }
    assert (found["env"]["ENVASSAY_MCP_CONFIG"], found["mode"]) == (path, 0o600)
    assert found["files"] == ["mcp.json"]
    assert found["env"].keys() - {"PATH", "LC_CTYPE"} == {"ENVASSAY_MCP_URL", "ENVASSAY_MCP_CONFIG"}
    assert "secret" not in told.read_text()


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (seen(1, {"goal": "reached"}, reward=1.0), ['{"goal": "reached"}', "Reward: 1"]),
        (seen(1, "lost", reward=-0.5), ["lost", "Reward: -0.5"]),
        (seen(1, "unpaid"), ["unpaid"]),
    ],
)
def test_the_last_call_is_told_what_it_brought(last: Seen, told: list[str], tmp_path: Path) -> None:
    kept = tmp_path / "told.json"
    body = (
        "calls = [{'move': 'up', 'far': n} for n in (2, 3)]\n"
        "results = [await environment.call_tool('act', call) for call in calls]\n"
        "told = [[[c.text for c in r.content], r.is_error] for r in results]\n"
        f"json.dump(told, open({str(kept)!r}, 'w'))"
    )

    async def episode() -> None:
        agent = probe_of(body).begin(MOVES, np.random.default_rng(0))
        assert isinstance(agent, Hearer)
        try:
            await agent.act(seen())
            await agent.over(last)
        finally:
            await agent.close()

    asyncio.run(episode())
    over = "The episode is over."
    assert json.loads(kept.read_text()) == [[[*told, over], False], [[over], True]]


def test_tools_of_the_environment_are_offered_as_they_are(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    body = (
        "tools = (await environment.list_tools()).tools\n"
        "results = [await environment.call_tool(*call) for call in (('look', {}),"
        " ('no_such', {'where': 'x'}), ('put', {'where': 'box'}))]\n"
        f"json.dump([[[t.name, t.description, t.input_schema] for t in tools],"
        f" [[r.content[0].text, r.is_error] for r in results]], open({str(told)!r}, 'w'))"
    )
    probe = probe_of(body)
    found: list[Json] = []

    async def episode() -> None:
        agent = probe.begin(TOOLS, np.random.default_rng(0))
        try:
            found.append(await agent.act(seen()))
            found.append(await agent.act(seen(1, {"result": {"n": 1}})))
            await agent.act(seen(2, "it is put"))
        except Finished:
            found.append("finished")
        finally:
            await agent.close()

    asyncio.run(episode())
    assert found == [
        {"type": "call_tool", "tool_name": "look", "arguments": {}},
        {"type": "call_tool", "tool_name": "put", "arguments": {"where": "box"}},
        "finished",
    ]
    tools, results = json.loads(told.read_text())
    assert TOOLS.tools is not None
    assert tools == [[t["name"], t["description"] or None, t["input_schema"]] for t in TOOLS.tools]
    assert results == [
        ['{"result": {"n": 1}}', False],
        ["there is no such tool; there are look, put", True],
        ["it is put", False],
    ]


WRONG = "while True: await environment.call_tool('dance', {})"
CASES = [
    ("pass", True, {}, r"ended with code 0, without a tool call that could be taken"),
    ("print('working')", False, {}, r"ended with code 0: working, without a tool call"),
    ("raise SystemExit('out of luck')", False, {}, r"ended with code 1: out of luck"),
    ("import time\ntime.sleep(60)", False, {"act_seconds": 0.5}, r"no tool call within 0\.5 s"),
    (WRONG, True, {}, r"asked 40 times without an action that could be taken"),
    ("while True: print('y' * 10_000)", False, {}, r"wrote more than 1000000 bytes"),
]


@pytest.mark.parametrize(("body", "client", "told", "why"), CASES)
def test_what_goes_wrong_ends_the_episode(
    body: str, client: bool, told: dict[str, Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offer, "MOST_REQUESTS", 40)
    monkeypatch.setattr("probes.harness.process.MOST_WRITTEN", 1_000_000)
    probe = probe_of(body, client=client, **told)
    with pytest.raises(Stuck, match=why):
        plays(probe, seen())


def test_three_failures_in_a_row_end_the_rung() -> None:
    probe = probe_of("raise SystemExit(3)", client=False)
    for _ in range(3):
        with pytest.raises(Stuck, match="ended with code 3"):
            plays(probe, seen())
    with pytest.raises(Unplayable, match="3 episodes in a row failed, the last: .*code 3"):
        plays(probe, seen())


def test_a_crash_after_some_actions_is_a_failure_and_an_end_is_not() -> None:
    acts = "await environment.call_tool('act', {'move': 'down', 'far': 9})\n"
    with pytest.raises(Finished):
        plays(probe_of(acts), seen(), seen(1))
    with pytest.raises(Stuck, match="ended with code 7"):
        plays(probe_of(acts + "os._exit(7)"), seen(), seen(1))


def test_calls_at_once_are_taken_one_after_the_other_and_too_many_refused() -> None:
    async def episode() -> tuple[list[Json], list[tuple[tuple[str, ...], bool]]]:
        offered = offer.Offer(Tools(MOVES), "go")
        calls = [
            asyncio.ensure_future(offered.call("act", {"move": "up", "far": number}))
            for number in range(offer.MOST_WAITING + 2)
        ]
        actions: list[Json] = []
        for number in range(3):
            actions.append(await offered.wanted())
            offered.tell(f"after {number}", error=False)
        calls[3].cancel()
        await asyncio.sleep(0)
        actions.append(await offered.wanted())
        offered.tell("nobody waits for it", error=False)
        offered.end()
        told = [await call for call in calls if not call.cancelled()]
        return actions, [*told, await offered.call("act", {"move": "up", "far": 99})]

    actions, told = asyncio.run(episode())
    assert [action["far"] for action in actions if isinstance(action, dict)] == [0, 1, 2, 3]
    refused = (("too many calls at once; wait for their results",), True)
    over = (("The episode is over.",), True)
    assert told == [
        *(((f"after {number}",), False) for number in range(3)),
        *[over] * (offer.MOST_WAITING - 4),
        *[refused] * 2,
        over,
    ]


def test_nothing_answers_elsewhere_nor_more_than_is_read() -> None:
    """The answer is read before a body is sent: a client that still sends may find it closed."""
    body = (
        "import http.client, urllib.parse\n"
        "place = urllib.parse.urlsplit(os.environ['ENVASSAY_MCP_URL'])\n"
        "def status(path, size=0):\n"
        "    asked = http.client.HTTPConnection(place.netloc, timeout=30)\n"
        "    asked.putrequest('POST', path)\n"
        "    asked.putheader('content-type', 'application/json')\n"
        "    asked.putheader('content-length', str(size))\n"
        "    asked.endheaders()\n"
        "    return asked.getresponse().status\n"
        "found = [await asyncio.to_thread(status, path) for path in ('/mcp', '/x/mcp')]\n"
        "found.append(await asyncio.to_thread(status, place.path, 2**20 + 1))\n"
        "await environment.call_tool('act', {'move': str(found), 'far': 0})"
    )
    (action,) = plays(probe_of(body), seen())
    assert action == {"move": "[404, 404, 413]", "far": 0}


def test_a_huge_observation_is_cut(tmp_path: Path) -> None:
    told = tmp_path / "told"
    body = (
        "result = await environment.call_tool('act', {'move': 'up', 'far': 2})\n"
        "task = (await environment.read_resource('envassay://task')).contents[0].text\n"
        f"open({str(told)!r}, 'w').write(f'{{len(result.content[0].text)}} {{len(task)}}"
        " {len(sys.argv[1])}')"
    )
    page = {"page": "z" * (3 * 2**20)}
    with pytest.raises(Finished):
        plays(probe_of(body, "{task}"), seen(observation=page), seen(1, page), seen(2, page))
    result, task, word = map(int, told.read_text().split())
    assert 2**20 <= result <= 2**20 + 100
    assert 2**20 <= task <= 2**20 + 1000
    assert 30_000 <= word <= 30_100


def test_what_cannot_be_written_harms_nothing() -> None:
    """A half of a surrogate pair comes over the wire as JSON, and is no UTF-8."""
    look = {"name": "look", "description": "\ud800", "input_schema": {"type": "object"}}
    odd = {**look, "name": "odd", "input_schema": {"type": "object", "title": "\udfff"}}
    lane = Lane(action_schema=TOOLS.action_schema, tools=(look, odd))
    body = (
        "tools = (await environment.list_tools()).tools\n"
        "assert tools[0].description == tools[1].input_schema['title'] == '?'\n"
        "for _ in range(2):\n"
        "    result = await environment.call_tool('look', {})\n"
        "assert result.content[0].text == 'no ?', result"
    )
    with pytest.raises(Finished):
        plays(
            probe_of(body, "{task}"),
            seen(observation="\ud800"),
            seen(1, "\ud800"),
            seen(2, error="no \ud800"),
            lane=lane,
        )


def test_an_action_that_can_be_no_tool_ends_the_rung() -> None:
    lane = Lane(action_schema=None, tools=None)
    with pytest.raises(Unplayable, match="publishes no action schema"):
        plays(probe_of("pass"), seen(), lane=lane)


def test_a_command_speaks_mcp_where_it_has_a_place_for_it() -> None:
    assert speaks_mcp(["agent", "--url={mcp_url}"])
    assert not speaks_mcp(["agent", "{other}"])
    assert fill("{a}{b}", {"{a}": "{b}", "{b}": "2"}) == "{b}2"


def test_its_version_tells_what_it_speaks() -> None:
    assert probe_of("pass", version="mine 3").version == "mcp 2 mine 3"
