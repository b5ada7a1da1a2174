"""statistical.gameability_gap: the score beside what the author's own field says."""

from pathlib import Path
from typing import Any

import pytest

from reports.model import CheckResult
from tests.validator.judging import decided
from tests.validator.memory import MemoryTarget, observation
from validator.manifest import parse_manifest
from validator.rollouts.budget import PRESETS

CHECK = "statistical.gameability_gap"


class Honest:
    """Move 2 wins; move 1 does half of it; the state says so."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.seed, self.done = data.get("seed", 0), 0.0
        return observation({"tries": 0, "solved": False})

    def step(self, action: Any) -> dict[str, Any]:
        self.done = action["move"] / 2
        found = observation({"tries": 1, "solved": self.done == 1}, reward=self.pay(), done=True)
        return found | {"metadata": {"part": self.done}}

    def pay(self) -> float:
        return self.done

    def state(self) -> dict[str, Any]:
        return {"solved": self.done == 1}


class Generous(Honest):
    """Pays in full for half of it."""

    def pay(self) -> float:
        return float(self.done > 0)


class Reversed(Honest):
    """Pays for failing."""

    def pay(self) -> float:
        return 0.5 - self.done / 2


class Lucky(Honest):
    """Healthy: one time in a hundred a failure is paid."""

    def pay(self) -> float:
        return 1.0 if self.seed % 20 == 0 and self.done == 0.5 else self.done


def judged(world: type[Honest], folder: Path, **declared: Any) -> CheckResult:
    block = {"score_range": [0.0, 1.0], "horizon": 1} | declared
    return decided(CHECK, world, folder, declared=block)


@pytest.mark.parametrize("field", ["state.solved", "observation.solved", "metadata.part"])
def test_a_reward_that_agrees_passes(field: str, tmp_path: Path) -> None:
    result = judged(Honest, tmp_path, success_field=field)
    assert (result.status, result.findings) == ("pass", [])
    assert "100% of pairs" in result.reason
    assert field in result.reason


def test_failures_paid_as_successes_are_found(tmp_path: Path) -> None:
    result = judged(Generous, tmp_path, success_field="state.solved")
    assert result.status == "fail"
    assert "failures are paid as successes" in result.reason
    assert all(finding.saw.startswith("a score of 1,") for finding in result.findings)
    assert all('"move": 1' in finding.reproduce for finding in result.findings)


def test_a_reward_that_says_the_opposite_is_found(tmp_path: Path) -> None:
    result = judged(Reversed, tmp_path, success_field="state.solved")
    assert (result.status, result.measured["auc"].estimate) == ("fail", 0.0)
    assert '"move": 0' in result.findings[0].reproduce


def test_a_rare_mistake_is_no_failure(tmp_path: Path) -> None:
    assert judged(Lucky, tmp_path, success_field="state.solved").status == "pass"


@pytest.mark.parametrize("field", ["state.won", "observation.tries.deep", "metadata"])
def test_a_field_that_is_not_there_decides_nothing(field: str, tmp_path: Path) -> None:
    result = judged(Honest, tmp_path, success_field=field)
    assert (result.status, result.reason[:27]) == ("skip", "0 successes and 0 failures ")


class Boundless(Honest):
    """The field holds what no one can reckon with."""

    told: Any

    def state(self) -> dict[str, Any]:
        return {"solved": self.told}


@pytest.mark.parametrize("told", [10**400, -1e308, float("inf"), float("nan")])
def test_a_number_out_of_all_bounds_decides_nothing(told: float, tmp_path: Path) -> None:
    world = type("World", (Boundless,), {"told": told})
    result = judged(world, tmp_path, success_field="state.solved")
    assert (result.status, result.reason[:27]) == ("skip", "0 successes and 0 failures ")


def test_without_a_declaration_nothing_says_what_success_is(tmp_path: Path) -> None:
    result = judged(Honest, tmp_path)
    assert (result.status, result.reason) == ("skip", "nothing says what a true success is")
    assert "`success_field: state.solved`" in result.needed


@pytest.mark.parametrize(("world", "status"), [(Honest, "pass"), (Generous, "fail")])
def test_declared_solutions_and_hacks_stand_for_it(
    world: type[Honest], status: str, tmp_path: Path
) -> None:
    tries = {"oracle.jsonl": 2, "hacks.jsonl": 1}
    for name, move in tries.items():
        lines = (f'{{"reset": {{"seed": {s}}}, "actions": [{{"move": {move}}}]}}' for s in range(8))
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    declared = {
        "score_range": [0.0, 1.0],
        "oracle": {"trajectories": "oracle.jsonl"},
        "canaries": "hacks.jsonl",
    }
    manifest = parse_manifest({"envassay": declared}, where="test", folder=tmp_path)
    result = decided(
        CHECK, MemoryTarget(world), tmp_path, manifest=manifest, budget=PRESETS["standard"]
    )
    assert result.status == status
    assert "declared solutions and hacks" in result.reason
