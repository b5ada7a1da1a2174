"""What a run's numbers rest on is said beside them."""

from pathlib import Path
from typing import Any

import pytest

from metrics import Undefined, level_at_looks, mean_score
from tests.validator.judging import judge
from tests.validator.memory import Guess
from tests.validator.probes import Dice, Steady
from validator.checks.runtime.startup import Startup

ONE_CHECK = (Startup(),)


class Graded(Guess):
    """Pays by the number of the move, over no range that it declares."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["reward"] = 0.25 * action["move"]
        return found


def test_an_interval_on_the_range_of_the_scores_seen_says_so(tmp_path: Path) -> None:
    report = judge(Graded, tmp_path, probes=(Steady(), Dice()), checks=ONE_CHECK)
    dice = next(rung for rung in report.ladder if rung.rung == "blind")
    assert "range as seen" in dice.mean_score.method
    assert "range as seen" in report.headline["floor"].method
    played = [row for row in report.tasks if row.scored]
    assert played
    assert all("range as seen" in row.mean_score.method for row in played)
    # a share of successes lies in [0, 1], whatever the scores
    assert "range as seen" not in dice.success_rate.method


def test_an_interval_on_a_declared_range_does_not(tmp_path: Path) -> None:
    declared = {"score_range": [0.0, 6.0]}
    report = judge(Graded, tmp_path, declared=declared, checks=ONE_CHECK)
    methods = [rung.mean_score.method for rung in report.ladder]
    methods += [row.mean_score.method for row in report.tasks]
    assert not any("range as seen" in method for method in methods)
    assert any(method.startswith("Gaffke") for method in methods)


def test_each_task_has_its_mean_with_interval_n_and_method(tmp_path: Path) -> None:
    declared = {"score_range": [0.0, 6.0]}
    report = judge(Graded, tmp_path, declared=declared, checks=ONE_CHECK)
    row = max(report.tasks, key=lambda one: one.scored)
    found = row.mean_score
    assert (found.n, found.of, found.method) == (
        row.scored,
        "episodes",
        "Gaffke, over episodes; one of 3 looks",
    )
    if row.score_low == row.score_high:
        assert found.estimate == row.score_low
        equal = mean_score([row.score_low] * row.scored, bounds=(0, 6))
        assert not isinstance(equal, Undefined)
        at_each_look = equal.confidence_interval(level_at_looks(0.95, 3))
        assert (found.low, found.high) == pytest.approx(tuple(at_each_look))
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.estimate <= found.high <= 6
    assert found.high > found.low
