"""Runs with a harness that speaks MCP, on real servers."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from reports.model import Rung
from tests.conftest import Served
from validator.checks.statistical.difficulty_separation import DifficultySeparation
from validator.installed import Installed
from validator.manifest import parse_manifest
from validator.policy.model import read_policy
from validator.rollouts.budget import read_budget
from validator.run import validate
from validator.settings import Settings
from validator.targets.url import UrlTarget
from validator.tiers import read_tiers

pytestmark = pytest.mark.servers

CLIENT = """
import asyncio, json, os, sys
from mcp.client.client import Client

async def main():
    async with Client(os.environ["ENVASSAY_MCP_URL"]) as environment:
        tools = [tool.name for tool in (await environment.list_tools()).tools]
        heard = await play(environment, tools)
        with open(sys.argv[1], "a") as file:
            file.write(json.dumps({"tools": tools, "heard": heard}) + chr(10))
"""
HALVES = """
async def play(environment, tools):
    low, high, heard = 0, 9, []
    while True:
        number = (low + high) // 2
        result = await environment.call_tool("act", {"number": number})
        heard.append([part.text for part in result.content])
        if heard[-1][-1] == "The episode is over.":
            return heard
        hint = json.loads(heard[-1][0])["hint"]
        low, high = (number + 1, high) if hint == "higher" else (low, number - 1)

asyncio.run(main())
"""
ECHOES = """
async def play(environment, tools):
    heard = []
    for name, arguments in (
        ("echo", {"message": "hello"}), ("shout", {}), ("repeat", {"message": "ab", "times": 3}),
    ):
        result = await environment.call_tool(name, arguments)
        heard.append([result.is_error, result.content[0].text])
    return heard

asyncio.run(main())
"""


def rung_of(url: str, script: str, folder: Path) -> tuple[Rung, list[dict[str, object]]]:
    """Return what a harness earned, and what it wrote down."""
    agent, notes, models = folder / "agent.py", folder / "notes", folder / "models.yaml"
    agent.write_text(CLIENT + script)
    words = [sys.executable, str(agent), str(notes)]
    block = {"command": words, "speaks": "mcp", "starts": 3}
    models.write_text(json.dumps({"harnesses": {"mine": block}}))
    (probe,) = read_tiers(models).probes(None)
    settings = Settings(
        budget=read_budget("20"),
        policy=read_policy("author"),
        manifest=parse_manifest({}, where="here", folder=folder),
        folder=folder / "run",
        probes=(probe.name,),
    )
    installed = Installed(
        probes={probe.name: probe}, sources={probe.name: "here"}, checks=(DifficultySeparation(),)
    )
    report = asyncio.run(validate(UrlTarget(url), settings, installed))
    (rung,) = [rung for rung in report.ladder if rung.probe == "harness:mine"]
    return rung, [json.loads(line) for line in notes.read_text().splitlines()]


def test_an_environment_with_an_action_is_played_by_one_tool(
    served: Served, tmp_path: Path
) -> None:
    rung, notes = rung_of(served("toy"), HALVES, tmp_path)
    assert (rung.mean_score.estimate, rung.mean_score.n) == (1.0, 3)
    assert rung.version.startswith("mcp 2 ")
    assert [note["tools"] for note in notes] == [["act"]] * 3
    for note in notes:
        assert isinstance(note["heard"], list)
        *hints, last = note["heard"]
        assert last[1:] == ["Reward: 1", "The episode is over."]
        assert json.loads(last[0])["hint"] == "found"
        for left, (shown, paid) in zip((4, 3, 2), hints, strict=False):
            found = json.loads(shown)
            assert found.keys() - {"metadata"} == {"hint", "guesses_left"}
            assert (found["guesses_left"], paid) == (left, "Reward: 0")


def test_an_environment_with_tools_is_played_by_its_own(served: Served, tmp_path: Path) -> None:
    rung, notes = rung_of(served("echo-mcp"), ECHOES, tmp_path)
    assert rung.mean_steps == 2.0
    assert len(notes) == 3
    for note in notes:
        assert note["tools"] == ["echo", "repeat"]
        assert isinstance(note["heard"], list)
        (first, hello), (second, unknown), (third, thrice) = note["heard"]
        assert (first, second, third) == (False, True, False)
        assert json.loads(hello)["result"]["data"] == "hello"
        assert unknown == "there is no such tool; there are echo, repeat"
        assert json.loads(thrice)["result"]["data"] == "ababab"
