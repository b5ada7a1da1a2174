"""What is the same later, and looks the same to equal tasks."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, World

HEALTHY: dict[str, Any] = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}


def tiring() -> type[World]:
    """Return a world that pays nothing after a number of episodes: those of the first round."""
    episodes = itertools.count()

    class Tiring(Guess):
        def reset(self, data: dict[str, Any]) -> dict[str, Any]:
            self.tired = next(episodes) >= 100
            return super().reset(data)

        def step(self, action: Any) -> dict[str, Any]:
            found = super().step(action)
            return found | {"reward": 0.0} if self.tired else found

    return Tiring


@pytest.mark.parametrize(
    ("world", "declared", "status", "question"),
    [
        (Guess, {}, "pass", False),
        (tiring(), {}, "fail", True),
        (tiring(), {"stochastic": False}, "fail", False),
        (tiring(), {"stochastic": True}, "pass", False),
    ],
)
def test_a_recorded_trajectory_comes_to_the_same_outcome(
    tmp_path: Path, world: type[World], declared: dict[str, Any], status: str, question: bool
) -> None:
    report = judge(world, tmp_path, declared=HEALTHY | declared)
    found = answer(report, "semantic.replayability")
    assert (found.status, found.question) == (status, question), found.reason
    if status == "fail":
        assert found.findings[0].claim.endswith("another reward")
        assert found.measured["outcome_agreement"].estimate == 0.0
