"""What is paid, when, and to whom: each fault is found, its healthy twin left alone."""

from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, World, observation
from validator.manifest import parse_manifest

HEALTHY = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}


class PaysAfterEnd(Guess):
    """Pays every step after the end."""

    over = False

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.over = False
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        if self.over:
            return self.after()
        found = super().step(action)
        self.over = found["done"]
        return found

    def after(self) -> dict[str, Any]:
        return observation({"tries": self._tries}, reward=1.0, done=True)


class RepeatsAfterEnd(PaysAfterEnd):
    """Healthy: says the last thing again and pays nothing."""

    def after(self) -> dict[str, Any]:
        return observation({"tries": self._tries}, reward=0.0, done=True)


class RefusesAfterEnd(PaysAfterEnd):
    """Healthy: refuses."""

    def after(self) -> dict[str, Any]:
        raise ValueError("reset first")


class CostsAfterEnd(PaysAfterEnd):
    """Healthy: every step costs, whenever it is taken."""

    def after(self) -> dict[str, Any]:
        return observation({"tries": self._tries}, reward=-1.0, done=True)


@pytest.mark.parametrize(
    ("world", "status"),
    [
        (PaysAfterEnd, "fail"),
        (RepeatsAfterEnd, "pass"),
        (RefusesAfterEnd, "pass"),
        (CostsAfterEnd, "pass"),
    ],
)
def test_nothing_is_paid_after_the_end(tmp_path: Path, world: type[World], status: str) -> None:
    found = answer(judge(world, tmp_path, declared=HEALTHY), "episode.after_done")
    assert (found.status, found.question) == (status, False)
    if status == "fail":
        assert "reward 1 at step 1 after" in found.findings[0].saw
        assert found.measured["paid_after_end"].estimate == 1.0


def test_the_bottom_of_a_range_without_zero_is_no_pay(tmp_path: Path) -> None:
    class Raised(RepeatsAfterEnd):
        def step(self, action: Any) -> dict[str, Any]:
            found = super().step(action)
            return found | {"reward": found["reward"] + 5}

    blocks = {"validation": {"reward": {"range": [5.0, 6.0]}}, "envassay": {"horizon": 3}}
    report = judge(Raised, tmp_path, manifest=parse_manifest(blocks, where="test"))
    assert answer(report, "episode.after_done").status == "pass"
