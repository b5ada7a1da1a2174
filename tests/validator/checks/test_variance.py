"""statistical.variance_bound: the spread of repeats is held to the declared one."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.model import CheckResult
from tests.validator.judging import decided
from tests.validator.memory import Guess
from validator.manifest import parse_manifest

CHECK = "statistical.variance_bound"


class Graded(Guess):
    """One try, graded by a judge whose grades spread; the middle of the range is the mean."""

    dice = random.Random(20)
    spread = 0.1

    def step(self, action: Any) -> dict[str, Any]:
        super().step(action)
        grade = 0.5 + self.noise(action)
        return {"observation": {"tries": 1}, "reward": min(max(grade, 0.0), 1.0), "done": True}

    def noise(self, action: Any) -> float:
        return self.dice.gauss(0.0, self.spread)


class Wide(Graded):
    """Spreads three times as much."""

    spread = 0.3


class OneTaskWide(Graded):
    """Spreads wide on one secret of three, and not at all on the others."""

    def noise(self, action: Any) -> float:
        return self.dice.choice([-0.5, 0.5]) if self._secret == 1 else 0.0


class RarelyWrong(Graded):
    """One grade in two hundred is lost."""

    def noise(self, action: Any) -> float:
        return -0.5 if self.dice.random() < 0.005 else 0.0


class LastStepWide(Graded):
    """Three steps, of which the last is judged."""

    def step(self, action: Any) -> dict[str, Any]:
        found = Guess.step(self, {"move": -1})
        return found | {"reward": 0.5 + self.noise(action) if found["done"] else 0.0}

    spread = 0.2


def judged(folder: Path, world: Callable[[], Any], tolerance: float) -> CheckResult:
    """Return the answer where the RFC's own tolerance, a variance of each reward, is declared."""
    block = {"reward": {"range": [-1.0, 2.0], "variance_tolerance": tolerance}}
    manifest = parse_manifest({"validation": block}, where="test")
    return decided(CHECK, world, folder, manifest=manifest)


@pytest.mark.parametrize(
    ("world", "declared", "status", "saying"),
    [
        (Graded, {"score_sd": 0.15}, "pass", "0.15 declared"),
        (Graded, {"score_sd": 0.02}, "fail", "more than declared"),
        (Wide, {"score_sd": 0.1}, "fail", "more than declared"),
        (OneTaskWide, {"score_sd": 0.05}, "fail", "more than declared"),
        (RarelyWrong, {"score_sd": 0.05}, "pass", "0.05 declared"),
        (Graded, {"score_sd": 0.08}, "skip", "may be more or not"),
        (Guess, {"score_sd": 0.0}, "pass", "0 declared"),
        (Graded, True, "skip", "no bound is declared"),
        (Graded, None, "skip", "no bound is declared"),
        (Guess, None, "pass", "score the same"),
    ],
)
def test_repeats_spread_no_more_than_declared(
    tmp_path: Path, world: Callable[[], Any], declared: Any, status: str, saying: str
) -> None:
    Graded.dice.seed(20)
    block = {"score_range": [0.0, 1.0], "horizon": 3}
    if declared is not None:
        block["stochastic"] = declared
    found = decided(CHECK, world, tmp_path, declared=block)
    assert (found.status, saying in found.reason) == (status, True), found.reason
    if "no bound" in found.reason:
        assert "score_sd" in found.needed


def test_the_measured_spread_is_the_true_one(tmp_path: Path) -> None:
    Graded.dice.seed(3)
    block = {"score_range": [0.0, 1.0], "stochastic": {"score_sd": 0.15}}
    measured = decided(CHECK, Graded, tmp_path, declared=block).measured["score_sd"]
    assert measured.estimate == pytest.approx(0.1, rel=0.15)
    assert measured.low is not None
    assert measured.low < 0.1
    assert measured.of == "trajectories"


@pytest.mark.parametrize(
    ("world", "tolerance", "status"),
    [
        (LastStepWide, 0.08, "pass"),
        (LastStepWide, 0.001, "fail"),
        (Guess, 0.0, "pass"),
    ],
)
def test_a_judge_is_held_step_by_step(
    tmp_path: Path, world: Callable[[], Any], tolerance: float, status: str
) -> None:
    Graded.dice.seed(4)
    found = judged(tmp_path, world, tolerance)
    assert found.status == status, found.reason
    if status == "fail":
        assert found.findings[0].saw.startswith("step 3: ")


def test_a_trajectory_is_named_that_spreads(tmp_path: Path) -> None:
    Graded.dice.seed(20)
    block = {"score_range": [0.0, 1.0], "stochastic": {"score_sd": 0.05}}
    finding = decided(CHECK, OneTaskWide, tmp_path, declared=block).findings[0]
    assert "8 of 20 plays" in finding.saw
    assert {word.strip(",") for word in finding.saw.split()[1:9]} == {"0", "1"}


def test_a_steady_environment_is_not_accused_by_chance(tmp_path: Path) -> None:
    """Thirty judges that keep exactly to their word, none accused."""
    block = {"score_range": [0.0, 1.0], "stochastic": {"score_sd": 0.1}}
    for number in range(30):
        Graded.dice.seed(100 + number)
        found = decided(CHECK, Graded, tmp_path / str(number), declared=block)
        assert found.status != "fail", (number, found.reason)
