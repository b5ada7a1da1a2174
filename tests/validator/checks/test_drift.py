"""Checks of time and memory on recorded times: growth, its healthy twins, and what is not told."""

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, MemoryTarget
from validator.checks.base import CheckResult
from validator.checks.drift.latency import Latency
from validator.checks.drift.memory import Memory
from validator.checks.hub.time_to_first_work import TimeToFirstWork
from validator.checks.runtime.resource_bounds import ResourceBounds
from validator.client.frames import Json
from validator.drills.base import DrillRecord
from validator.drills.repetitions import REPETITIONS, Repetitions
from validator.episodes import EpisodeKey, Scored
from validator.evidence import Evidence
from validator.manifest import parse_manifest
from validator.rollouts.course import Rollouts
from validator.table import EpisodeTable, Row

START: list[Json] = ["-", 7]


def row(number: int, *, reset: float, step: float, seed: int = 7) -> Row:
    return Row(
        key=EpisodeKey(task="-", seed=seed, probe="random", repeat=number),
        position=0,
        session=number,
        outcome=Scored(0.0),
        ended="done",
        started=True,
        odd="",
        kinds=bytes(2),
        values=array("d", [0.0, 0.0]),
        dones=bytes([0, 1]),
        after=(),
        open_seconds=0.001,
        reset_seconds=reset,
        step_seconds=array("d", [step, step]),
        offset=number,
    )


def evidence(facts: dict[str, Any], rows: Sequence[Row], declared: Any = None) -> Evidence:
    return Evidence(
        about=MemoryTarget(Guess).about,
        manifest=parse_manifest(declared or {}, where="test"),
        table=EpisodeTable(Path("none"), rows),
        rollouts=Rollouts(planned=len(rows)),
        rungs={"random": "blind"},
        group_size=8,
        seed=0,
        drills={Repetitions.name: DrillRecord(name=Repetitions.name, facts=facts)} if facts else {},
    )


def timed(
    resets: Any, steps: Any = 0.001, asked: Any = 0.0005, *, n: int = 100, then: Any = 0.001
) -> dict[str, Any]:
    """Return what the exercise saw; `then` the run's first steps took, the same now the last."""
    noise = np.random.default_rng(3).uniform(0, 1e-4, (3, n))
    times = np.broadcast_to(np.array(asked), n), np.broadcast_to(np.array(resets), n), steps
    series = [
        np.broadcast_to(np.array(each), n) + more for each, more in zip(times, noise, strict=True)
    ]
    names = ("asked", "resets", "steps")
    again = series[2][-10:].tolist()
    then_too = {"then": [], "again": []} if then is None else {"then": [then] * 10, "again": again}
    return {"start": START, "memory": {}, **then_too} | {
        name: found.tolist() for name, found in zip(names, series, strict=True)
    }


def decide(facts: dict[str, Any], rows: Sequence[Row]) -> CheckResult:
    return Latency().decide(evidence(facts, rows))


RISING = np.linspace(0.020, 0.030, 100)
JUMP = np.repeat([0.010, 0.024], [66, 34])
EARLY_JUMP = np.repeat([0.010, 0.024], [33, 67])
EARLY = [row(number, reset=0.001, step=0.001) for number in range(20)]
SLOW_AT_FIRST = [row(number, reset=3.0, step=0.2) for number in range(20)]
GREW = [row(n, reset=0.001 + n / 20_000, step=0.001) for n in range(200)]
UNLIKE = [row(n, reset=0.001, step=0.003 + n / 20_000) for n in range(200)]
AS_EVER = [row(number, reset=0.025, step=0.001) for number in range(20)]
BUSY = [row(n, reset=(0.002, 0.006, 0.010, 0.015)[n % 4], step=0.001) for n in range(20)]
BURSTS = np.random.default_rng(1).uniform(0.0095, 0.020, 100)
GREW_BESIDE_OTHERS = [
    row(n, reset=(0.002, 0.006, 0.010, 0.015)[n % 4] + n / 20_000, step=0.001) for n in range(200)
]
GREW_FROM_FOUR = [
    row(n, reset=(0.004, 0.006, 0.010, 0.015)[n % 4] + n / 20_000, step=0.001) for n in range(200)
]
SLOWER_BESIDE_OTHERS = [
    row(n, reset=(0.006, 0.010, 0.015)[n % 3] + n / 20_000, step=0.001) for n in range(200)
]
OTHERS = [row(number, reset=0.001, step=0.001, seed=8) for number in range(20)]


@pytest.mark.parametrize(
    ("facts", "rows", "status"),
    [
        (timed(0.001), EARLY, "pass"),
        (timed(RISING), EARLY, "fail"),
        (timed(0.001, steps=RISING), EARLY, "fail"),
        # what slows everything down is the machine
        (timed(RISING, asked=RISING), EARLY, "pass"),
        # what begins in the middle and stays is other work, where a step computes for long
        (timed(0.001, steps=JUMP), EARLY, "skip"),
        (timed(0.001, steps=EARLY_JUMP), EARLY, "skip"),
        (timed(np.linspace(0.1, 0.3, 100) ** 2), EARLY, "fail"),
        # steps of another kind took less at first, as they do where tools are called
        (timed(0.001, steps=0.014, then=0.014), UNLIKE, "pass"),
        (timed(0.001, steps=np.linspace(0.014, 0.015, 100), then=0.014), UNLIKE, "pass"),
        (timed(0.001, steps=0.014, then=None), UNLIKE, "pass"),
        # the same steps took less at first, and have come to rest
        (timed(0.001, steps=0.014, then=0.003), UNLIKE, "fail"),
        # it took as long before
        (timed(RISING), AS_EVER, "pass"),
        # other starts took less, which says nothing of this one
        (timed(RISING), OTHERS, "pass"),
        (timed(0.001), SLOW_AT_FIRST, "pass"),
        # what it took at first shows in the least of its times, where other sessions were at work
        (timed(np.linspace(0.008, 0.0106, 100)), BUSY, "fail"),
        (timed(0.009), BUSY, "pass"),
        # other work hides its growth in the exercise, not that the least is three times as long
        (timed(BURSTS), GREW_BESIDE_OTHERS, "fail"),
        # nor that it is nearly three times as long as beside others
        (timed(BURSTS + 0.0015), GREW_FROM_FOUR, "fail"),
        # an episode alone takes what it took at best beside others that became more and more
        (timed(BURSTS), SLOWER_BESIDE_OTHERS, "pass"),
        # it grew over the run and has come to rest
        (timed(0.010), GREW, "fail"),
        # it takes longer than at first, and nothing tells from what
        (timed(0.010), EARLY, "skip"),
        (timed(0.0012), [row(n, reset=0.0001, step=0.001) for n in range(20)], "pass"),
        (timed(0.001, n=20), EARLY, "skip"),
        ({}, EARLY, "skip"),
    ],
)
def test_growth_of_latency(facts: dict[str, Any], rows: Sequence[Row], status: str) -> None:
    found = decide(facts, rows)
    assert found.status == status, found.reason
    assert bool(found.findings) == (status == "fail")


@pytest.mark.parametrize(
    ("memory", "status"),
    [
        ({}, "skip"),
        ({"rss_mb": [100.0] * 10}, "skip"),
        ({"rss_mb": [100.0 + n for n in range(100)]}, "fail"),
        ({"rss_mb": [min(100.0 + n, 120.0) for n in range(100)]}, "pass"),
        ({"rss_mb": [100.0 + n / 100 for n in range(100)]}, "pass"),
        ({"rss_mb": [10**400, float("inf"), float("nan")] * 40}, "skip"),
        ({"rss_mb": [10**400, *(100.0 + n for n in range(100))]}, "fail"),
    ],
)
def test_growth_of_memory_that_the_server_tells(memory: dict[str, Any], status: str) -> None:
    found = Memory().decide(evidence(timed(0.001) | {"memory": memory}, EARLY))
    assert found.status == status, found.reason


@pytest.mark.parametrize(
    ("seconds", "status"), [(300, "pass"), (2, "fail"), (None, "skip"), ("long", "skip")]
)
def test_episodes_keep_to_the_declared_time(
    tmp_path: Path, seconds: Any, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("validator.checks.runtime.resource_bounds.by_hand", lambda *_: "send")
    rows = [row(number, reset=1.0, step=0.6) for number in range(3)]
    declared = {"validation": {"resources": {"episode_timeout_s": seconds}}}
    found = ResourceBounds().decide(evidence({}, rows, declared if seconds else None))
    assert (found.check_id, found.status) == ("runtime.resource_bounds", status), found.reason
    assert ("declared" in found.needed or "episode_timeout_s" in found.needed) == (status == "skip")


class Tells(Guess):
    """Tells its memory in the state."""

    def state(self) -> dict[str, Any]:
        return {"memory_mb": 100, "memory_note": "plenty", "mb": 7}


def test_the_exercise_times_and_reads(tmp_path: Path) -> None:
    report = judge(Tells, tmp_path, declared={"score_range": [0.0, 1.0], "concurrency": 8})
    found = answer(report, "drift.memory")
    assert (found.status, found.reason) == ("pass", "memory_mb does not grow")
    assert found.measured["readings"].estimate == REPETITIONS
    assert answer(report, "drift.latency").status == "pass"


def starts(first: float, later: float, n: int = 20) -> list[Row]:
    return [row(number, reset=first if number == 0 else later, step=0.001) for number in range(n)]


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        (starts(3.0, 0.002), "fail"),
        (starts(0.5, 0.002), "pass"),
        # all are as slow
        (starts(3.0, 2.5), "pass"),
        # too few to compare with
        (starts(3.0, 0.002, n=5), "pass"),
        (starts(61.0, 61.0), "fail"),
        ([], "skip"),
    ],
)
def test_only_the_first_start_is_slow(rows: Sequence[Row], status: str) -> None:
    """hub.time_to_first_work: what only the first start waits for."""
    found = TimeToFirstWork().decide(evidence({}, rows))
    assert found.status == status, found.reason


def test_growth_that_could_hide_in_noise_is_not_denied() -> None:
    noise = np.random.default_rng(5).exponential(0.02, 100)
    found = decide(timed(0.001 + noise), EARLY)
    assert found.status == "skip"
    assert "would not show" in found.reason
