"""Checks of sessions side by side and cut off: a fault and its twin each."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.model import CheckResult
from tests.validator.judging import answer, decided, judge
from tests.validator.memory import Guess, MemoryTarget, World, observation
from validator.checks.runtime.startup import Startup
from validator.checks.session.capacity import Capacity
from validator.checks.session.load_stability import LoadStability

HEALTHY = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}


class Shared(Guess):
    """All sessions draw from one generator, seeded at reset."""

    dice = random.Random(0)

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.dice.seed(data["seed"])
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["observation"]["wind"] = self.dice.randrange(1000)
        return found


class Own(Shared):
    """Each session has its own generator."""

    def __init__(self) -> None:
        self.dice = random.Random(0)


class OneEngine(Guess):
    """An engine that knows the last session only, and says so."""

    owner: World | None = None

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        OneEngine.owner = self
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        if OneEngine.owner is not self:
            raise ValueError("the engine was used by another")
        return super().step(action)


class Wild(Guess):
    """Repeats nothing, alone or not."""

    dice = random.Random(1)

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        super().reset(data)
        return observation({"tries": self.dice.randrange(10**9)})


LOADED: list[tuple[type[World], str, str]] = [
    (Guess, "pass", "are the same beside others"),
    (Own, "pass", "are the same beside others"),
    (Shared, "fail", "differ beside others"),
    (OneEngine, "fail", "differ beside others"),
    (Wild, "skip", "do not repeat even alone"),
]


@pytest.mark.parametrize(("world", "status", "reason"), LOADED)
def test_an_episode_alone_is_the_same_as_beside_others(
    tmp_path: Path, world: Callable[[], World], status: str, reason: str
) -> None:
    found = decided("session.load_stability", world, tmp_path, declared=HEALTHY)
    assert found.status == status, found.reason
    assert reason in found.reason
    if world is Shared:
        assert "$.wind" in found.findings[0].where


def test_one_declared_session_has_no_load(tmp_path: Path) -> None:
    target = MemoryTarget(Guess, capacity=1)
    declared = HEALTHY | {"concurrency": 1}
    for check in ("session.load_stability", "session.recovery"):
        assert decided(check, target, tmp_path / check, declared=declared).status == "pass"


def test_a_full_server_plays_its_crowd(tmp_path: Path) -> None:
    target = MemoryTarget(Guess, capacity=4, late=0.01)
    declared = HEALTHY | {"concurrency": 4}
    found = decided("session.load_stability", target, tmp_path, declared=declared)
    assert found.reason == "12 of 12 episodes are the same beside others"


def test_a_session_that_is_cut_off_gives_its_slot_back(tmp_path: Path) -> None:
    target = MemoryTarget(Guess, capacity=8, late=0.01)
    found = decided("session.recovery", target, tmp_path, declared=HEALTHY)
    assert found.status == "pass"
    assert found.measured["cut"].estimate == 16.0


def test_sessions_that_keep_their_slots_when_cut_off_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("validator.drills.cuts.PAUSES", (0.0, 0.01))
    target = MemoryTarget(Guess, capacity=8, keeps_dropped=True)
    found = decided("session.recovery", target, tmp_path, declared=HEALTHY)
    assert (found.status, found.reason) == ("fail", "no session is granted after 8 were cut off")
    assert "full" in found.findings[0].saw


def resumed(folder: Path, target: MemoryTarget, *checks: Any, **declared: Any) -> CheckResult:
    """Return the answer on capacity of a run that goes on where all was played."""
    asked = (Startup(), Capacity(), *checks)
    judge(target, folder, checks=asked, declared=declared)
    target.most_sessions = 0
    again = judge(target, folder, checks=asked, declared=declared)
    assert target.most_sessions == 0
    return answer(again, "session.capacity")


def test_a_run_that_plays_nothing_new_knows_what_its_exercises_had_open(tmp_path: Path) -> None:
    found = resumed(tmp_path, MemoryTarget(Guess), LoadStability(), concurrency=8)
    assert (found.status, found.reason.partition(",")[0]) == ("pass", "8 sessions at once")
    assert found.measured["sessions_served"].estimate == 8.0


def test_a_run_that_plays_nothing_new_says_so_where_nothing_tells_of_sessions(
    tmp_path: Path,
) -> None:
    found = resumed(tmp_path, MemoryTarget(Guess, capacity=1))
    assert found.status == "skip"
    assert found.reason == "every episode was kept from an earlier run, and none was played now"
