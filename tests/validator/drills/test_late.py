"""Exercises on a server that is too slow for its episodes."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess
from validator.checks.runtime.startup import Startup
from validator.checks.runtime.state_contract import StateContract
from validator.checks.semantic.floor_gap import FloorGap
from validator.rollouts.budget import PRESETS


class Slow(Guess):
    """Takes its time over each step."""

    def step(self, action: Any) -> dict[str, Any]:
        time.sleep(0.02)
        return super().step(action)


def test_they_are_carried_out_where_the_time_for_episodes_was_up(tmp_path: Path) -> None:
    checks = (Startup(), FloorGap(), StateContract())
    report = judge(Slow, tmp_path, checks=checks, budget=replace(PRESETS["quick"], seconds=0.5))
    assert report.ledger.stopped.startswith("the time limit of 0.5 s")
    assert report.ledger.started < report.ledger.planned
    assert answer(report, "runtime.state_contract").status == "pass"
