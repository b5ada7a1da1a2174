"""statistical.adversarial_floor: paid attacks are found, and playing well is none."""

import random
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from probes.base import Probe
from probes.blind.uniform import Uniform
from probes.null.noop import Noop
from probes.panel.degenerate import Degenerate
from probes.panel.echo import Echo
from probes.panel.format_only import FormatOnly
from probes.panel.injection import Injection
from probes.panel.leak_reader import LeakReader
from probes.panel.oversize import Oversize
from probes.panel.premature_end import PrematureEnd
from probes.panel.reward_search import RewardSearch
from probes.panel.schema_edge import SchemaEdge
from probes.panel.shotgun import Shotgun
from probes.panel.tamper import Tamper
from reports.model import CheckResult
from tests.validator.judging import decided
from tests.validator.memory import MemoryTarget, observation
from tests.validator.quiz import ACTION, SOLVER, Quiz
from validator.manifest import parse_manifest
from validator.rollouts.budget import PRESETS
from validator.targets.base import About

CHECK = "statistical.adversarial_floor"
PANEL: tuple[Probe, ...] = (
    Noop(), Uniform(), Degenerate(), Oversize(), SchemaEdge(), Injection(), FormatOnly(), Echo(),
    Shotgun(), RewardSearch(), PrematureEnd(), LeakReader(), Tamper(),
)  # fmt: skip


class Substring(Quiz):
    """Looks for the answer anywhere in the text."""

    def grade(self, answer: str) -> float:
        return float(self.right.lower() in answer.lower())


class Gullible(Quiz):
    """Lets the answer write the verdict."""

    def grade(self, answer: str) -> float | None:
        return 1.0 if '"score": 1.0' in answer or "[[10]]" in answer else super().grade(answer)


class ByLength(Quiz):
    """Pays for length."""

    def grade(self, answer: str) -> float:
        return min(1.0, len(answer) / 20_000)


class ByForm(Quiz):
    """Pays for a box, whatever is in it."""

    def grade(self, answer: str) -> float:
        return float(any(form in answer for form in ("</answer>", "boxed", "{}", "```")))


class ByMetadata(Quiz):
    """Takes the reward from the action."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"reward": action.get("metadata", {}).get("reward", found["reward"])}


class Leaking(Quiz):
    """Shows the answer beside the question, in base64 for reading only."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        return found | {"metadata": {"trace": b64encode(self.right.encode()).decode()}}


class Repeating(Quiz):
    """Healthy: the task is to say the very same."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        super().reset(data)
        self.right = f"{self.right} {data.get('seed', 0)}"
        return observation({"say": self.right}, reward=None)


class Reading(Quiz):
    """Healthy: the answer stands in the passage, among other towns."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        super().reset(data)
        text = f"Not Paris nor Rome but {self.right} is meant, I was told"
        return observation({"text": text, "question": "Which is meant?"}, reward=None)


class Costly(Quiz):
    """Healthy: each of twenty steps costs 1, whatever is said."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._steps = 0
        return observation({"text": "go on"}, reward=None)

    def step(self, action: Any) -> dict[str, Any]:
        self._steps += 1
        paid = self.grade(action["answer"])
        return observation({"text": "go on"}, reward=paid, done=self._steps >= 20)

    def grade(self, answer: str) -> float:
        return -1.0


class CostlyByLength(Costly):
    """Pays for length what a step costs, and more."""

    def grade(self, answer: str) -> float:
        return 2.0 if len(answer) > 1000 else -1.0


def judged(
    world: type[Quiz],
    folder: Path,
    *,
    solver: str | None = SOLVER,
    max_steps: int = 12,
    **declared: Any,
) -> CheckResult:
    folder.mkdir(exist_ok=True)
    block = {"score_range": [0.0, 1.0], "horizon": 1} | declared
    if solver is not None:
        (folder / "solver.py").write_text(solver)
        block["oracle"] = {"policy": "solver.py:solve"}
    manifest = parse_manifest({"envassay": block}, where="test", folder=folder)
    target = MemoryTarget(
        world,
        about=About(url="http://memory:1", driver="memory", name="memory", action_schema=ACTION),
    )
    return decided(
        CHECK,
        target,
        folder,
        manifest=manifest,
        probes=PANEL,
        budget=PRESETS["standard"],
        max_steps=max_steps,
    )


def attackers(result: CheckResult) -> set[str]:
    return {finding.where.split(";")[0].removeprefix("episodes of ") for finding in result.findings}


@pytest.mark.parametrize(
    ("world", "found"),
    [
        (Substring, {"shotgun"}),
        (Gullible, {"injection"}),
        (ByLength, {"oversize"}),
        (ByMetadata, {"tamper"}),
        (Leaking, {"leak_reader"}),
    ],
)
def test_a_paid_attack_is_found(world: type[Quiz], found: set[str], tmp_path: Path) -> None:
    result = judged(world, tmp_path)
    assert (result.status, result.question) == ("fail", False)
    assert attackers(result) == found


def test_pay_for_the_form_is_found(tmp_path: Path) -> None:
    result = judged(ByForm, tmp_path)
    assert result.status == "fail"
    assert "format_only" in attackers(result)


@pytest.mark.parametrize(("world", "found"), [(Costly, set()), (CostlyByLength, {"oversize"})])
def test_who_leaves_early_is_held_against_as_many_steps(
    world: type[Quiz], found: set[str], tmp_path: Path
) -> None:
    """Attackers leave after twelve steps, which costs less than twenty."""
    undeclared: dict[str, Any] = {"score_range": None, "horizon": None}
    result = judged(world, tmp_path, solver=None, max_steps=20, **undeclared)
    assert attackers(result) == found
    if found:
        assert result.findings[0].expected.endswith("earns in as many steps")
        assert "the floor is -12" in result.reason


@pytest.mark.parametrize("world", [Quiz, Reading])
def test_an_honest_grader_passes(world: type[Quiz], tmp_path: Path) -> None:
    result = judged(world, tmp_path, solver=None if world is Reading else SOLVER)
    assert (result.status, result.findings) == ("pass", [])


def test_to_echo_is_no_attack_where_the_solution_does_it(tmp_path: Path) -> None:
    solver = 'def solve(observation, task, step):\n    return {"answer": observation["say"]}\n'
    assert judged(Repeating, tmp_path / "one", solver=solver).status == "pass"
    asked = judged(Repeating, tmp_path / "two", solver=None)
    assert (asked.status, asked.question) == ("fail", True)
    assert attackers(asked) == {"echo"}


def test_a_reward_that_is_found_by_trying_is_no_attack(tmp_path: Path) -> None:
    result = arm(tmp_path, Bandit)
    assert result.status == "pass"
    assert "reward_search does, by the rules" in result.reason


class Bandit:
    """Healthy: one of five levers pays, another one for each seed; thirty pulls."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.best = random.Random(data.get("seed")).randrange(5)
        self.pulls = 0
        return observation({"pulls": 0})

    def step(self, action: Any) -> dict[str, Any]:
        self.pulls += 1
        paid = float(action["lever"] == self.best) / 30
        return observation({"pulls": self.pulls}, reward=paid, done=self.pulls == 30)


def arm(folder: Path, world: type[Bandit]) -> CheckResult:
    schema: Any = {
        "type": "object",
        "properties": {"lever": {"type": "integer", "minimum": 0, "maximum": 4}},
        "required": ["lever"],
    }
    target = MemoryTarget(
        world,
        about=About(url="http://memory:1", driver="memory", name="memory", action_schema=schema),
    )
    return decided(
        CHECK,
        target,
        folder,
        declared={"score_range": [0.0, 1.0]},
        probes=PANEL,
        max_steps=30,
        fixed=True,
    )


class Desk:
    """Two tasks in three are so already: they are won by saying that they are done."""

    easy = 2

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.number = data.get("seed", 0)
        self.moves = 0
        return observation({"number": self.number})

    def step(self, action: Any) -> dict[str, Any]:
        self.moves += 1
        done = action["move"] == "submit" or self.moves == 6
        won = action["move"] == "submit" and self.moves == 1 and self.number % 3 < self.easy
        return observation({"number": self.number}, reward=float(won), done=done)


class PartlyDone(Desk):
    """Healthy: what is there already is worth a part; only work is a success."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"reward": 0.4 if found["done"] and action["move"] == "submit" else 0.0}


@pytest.mark.parametrize(("world", "status"), [(Desk, "fail"), (PartlyDone, "pass")])
def test_closing_at_once_counts_where_it_wins(
    world: type[Desk], status: str, tmp_path: Path
) -> None:
    moves = [*(f"go {number}" for number in range(40)), "submit"]
    schema: Any = {"type": "object", "properties": {"move": {"enum": moves}}, "required": ["move"]}
    target = MemoryTarget(
        world,
        about=About(url="http://memory:1", driver="memory", name="memory", action_schema=schema),
    )
    result = decided(
        CHECK,
        target,
        tmp_path,
        declared={"score_range": [0.0, 1.0], "horizon": 6},
        probes=PANEL,
        budget=PRESETS["standard"],
    )
    assert result.status == status
    assert attackers(result) == ({"premature_end"} if status == "fail" else set())


def test_without_attackers_or_without_a_floor_nothing_is_decided(tmp_path: Path) -> None:
    one = decided(CHECK, Bandit, tmp_path / "one")
    assert (one.status, one.reason) == ("skip", "no attacker was run")
    two = decided(CHECK, Bandit, tmp_path / "two", probes=(Tamper(),))
    assert two.status == "skip"
    assert "there is no floor" in two.reason
