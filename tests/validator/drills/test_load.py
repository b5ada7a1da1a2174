"""Sessions side by side are timed, with never more of them than were served."""

import asyncio
from pathlib import Path
from typing import Any

from probes.base import Agent, Seen, Unplayable
from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, MemoryTarget
from validator.checks.runtime.startup import Startup
from validator.checks.session.capacity import Capacity
from validator.drills.base import AgentFactory, DrillRecord, Ground, carry_out
from validator.drills.load import ROUNDS, STEPS, Load
from validator.rollouts.start import Start
from validator.targets.base import Task

CHECKS = (Startup(), Capacity())


class Presses:
    """Moves as it was told."""

    def act(self, seen: Seen) -> Any:
        return {"move": 0}


def timed(target: MemoryTarget, begin: AgentFactory) -> DrillRecord:
    ground = Ground(
        server=target,
        starts=(Start(task=Task(id="-", options={}), seed=1),),
        begin=begin,
        sessions_served=1,
        sessions_refused_at=None,
        max_steps=5,
    )
    return asyncio.run(carry_out(Load(), ground, seconds=60.0))


def test_every_number_of_sessions_is_timed(tmp_path: Path) -> None:
    report = judge(MemoryTarget(Guess, capacity=64), tmp_path, checks=CHECKS)
    load = report.times.load
    assert [point.sessions for point in load] == [1, 2, 4, 8]
    for point in load:
        assert point.steps_per_second.n == ROUNDS
        assert point.steps_per_second.estimate is not None
        assert None not in (point.steps_per_second.low, point.steps_per_second.high)
        assert point.step_p50.n == point.step_p95.n == STEPS * ROUNDS * point.sessions
    assert report.times.measures["contention"].n == 4 * ROUNDS


def test_no_session_is_opened_beyond_those_that_were_served(tmp_path: Path) -> None:
    target = MemoryTarget(Guess, capacity=3)
    report = judge(target, tmp_path, checks=CHECKS)
    assert [point.sessions for point in report.times.load] == [1, 2, 3]
    assert answer(report, "session.capacity").reason.startswith("3 sessions at once")
    assert target.most_sessions == 3


def test_one_session_alone_has_no_curve(tmp_path: Path) -> None:
    report = judge(MemoryTarget(Guess, capacity=1), tmp_path, checks=CHECKS)
    assert report.times.load == []
    assert "contention" not in report.times.measures


def test_what_was_timed_before_a_break_stands() -> None:
    record = timed(MemoryTarget(Guess, die_after=120), lambda number: Presses())
    assert record.fault == ""
    assert record.facts["fault"] == "step: the connection dropped"
    sizes: Any = record.facts["sizes"]
    assert [size["sessions"] for size in sizes] == [1, 8]
    assert [steps for _, steps in sizes[0]["rounds"]] == [STEPS] * ROUNDS


def test_what_is_refused_is_left_out() -> None:
    sizes: Any = timed(MemoryTarget(Guess, capacity=3), lambda number: Presses()).facts["sizes"]
    assert [size["sessions"] for size in sizes] == [1, 2, 3]


def test_where_nothing_can_be_done_nothing_is_timed() -> None:
    def nobody(number: int) -> Agent:
        raise Unplayable("no probe acts here")

    assert timed(MemoryTarget(Guess), nobody).facts == {"sizes": [], "fault": ""}


class Shut(Guess):
    """Every episode is over as it begins."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return super().reset(data) | {"done": True}


def test_episodes_that_are_over_at_once_do_not_hold_it_up() -> None:
    record = timed(MemoryTarget(Shut), lambda number: Presses())
    assert record.facts == {"sizes": [], "fault": ""}
