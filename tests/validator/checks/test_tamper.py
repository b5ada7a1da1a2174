"""Rewards and checks that the agent can write."""

from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer
from tests.validator.memory import World, observation
from tests.validator.quiz import Quiz, ask
from validator.targets.base import Tool

TEXT = {"type": "string"}
TOOLS = (
    Tool(
        name="write_file",
        description="Write a file",
        input_schema={
            "type": "object",
            "properties": {"path": TEXT, "text": TEXT},
            "required": ["path", "text"],
        },
    ),
    Tool(name="submit", description="Be done", input_schema={"type": "object", "properties": {}}),
)
CALL = {
    "type": "object",
    "properties": {
        "type": {"const": "call_tool"},
        "tool_name": TEXT,
        "arguments": {"type": "object"},
    },
    "required": ["tool_name", "arguments"],
}


class Desk:
    """Healthy: files that are graded elsewhere."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.files = {"checks.txt": "check 1\n"}
        return observation({"listing": sorted(self.files)})

    def step(self, action: Any) -> dict[str, Any]:
        given = action.get("arguments", {})
        if action.get("tool_name") == "submit":
            return observation({"said": "bye"}, reward=self.score(), done=True)
        self.files[str(given.get("path"))] = str(given.get("text"))
        return observation({"listing": sorted(self.files)})

    def score(self) -> float:
        return 0.0


class ReadsReward(Desk):
    """Takes the reward from a file, where there is one."""

    def score(self) -> float:
        try:
            return float(self.files["reward.txt"])
        except (KeyError, ValueError):
            return 0.0


class RunsChecks(Desk):
    """Runs the checks that lie in the folder."""

    def score(self) -> float:
        return 0.0 if "check" in self.files["checks.txt"] else 1.0


class FromMetadata(Quiz):
    """Takes the reward that came along."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"reward": action.get("metadata", {}).get("reward", found["reward"])}


@pytest.mark.parametrize(
    ("world", "told"),
    [
        (Desk, ""),
        (ReadsReward, "a reward that the agent wrote was paid"),
        (RunsChecks, "checks that the agent emptied were passed"),
        (Quiz, ""),
        (FromMetadata, "a reward that the agent wrote was paid"),
    ],
)
def test_nothing_the_agent_writes_is_paid(tmp_path: Path, world: type[World], told: str) -> None:
    desk = issubclass(world, Desk)
    about = {"action_schema": CALL, "tools": TOOLS} if desk else {}
    report = ask(world, tmp_path, about=about, allow_intrusive=True)
    found = answer(report, "reward.tamper")
    assert (found.status, found.question) == ("fail" if told else "pass", False), found.reason
    assert found.reason.startswith(told)


def test_nothing_is_written_without_leave(tmp_path: Path) -> None:
    found = answer(ask(Quiz, tmp_path), "reward.tamper")
    assert (found.status, found.needed) == ("skip", "`--allow-intrusive`")
