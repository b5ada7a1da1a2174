"""What parts only where actions come fast is told from what is drawn at random."""

import random
import time
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess
from validator.checks.runtime.episode_determinism import EpisodeDeterminism
from validator.checks.runtime.seed_control import SeedControl
from validator.checks.runtime.startup import Startup
from validator.client.faults import Timeout
from validator.drills.base import Ground
from validator.drills.unhurried import Unhurried

CHECKS = (Startup(), SeedControl(), EpisodeDeterminism())
ENTROPY = random.SystemRandom()


class Job(Guess):
    """Half of all moves begin what takes ten milliseconds, and the next answer tells of it."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._rests = 0.0
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        busy = time.monotonic() < self._rests
        found["observation"]["note"] = "still running" if busy else "started"
        self._rests = time.monotonic() + ENTROPY.choice([0.0, 0.01])
        return found


class Toss(Guess):
    """A coin falls at each move."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["observation"]["coin"] = ENTROPY.choice(["head", "tail"])
        return found


class Shuffled(Guess):
    """Each episode begins with a card of its own."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"]["card"] = ENTROPY.randrange(52)
        return found


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validator.drills.unhurried.PAUSE_SECONDS", 0.02)


def test_what_depends_on_haste_is_not_blamed_on_the_seed(tmp_path: Path) -> None:
    report = judge(Job, tmp_path, checks=CHECKS)
    seed = answer(report, "runtime.seed_control")
    assert (seed.status, seed.question) == ("skip", False)
    assert "played alone and slowly, they agree" in seed.reason
    found = answer(report, "runtime.episode_determinism")
    assert (found.status, found.question) == ("fail", True)
    assert found.reason.endswith("and agree where they are played alone and slowly")
    assert found.findings[0].do.startswith("Let an action end what it began")


@pytest.mark.parametrize("world", [Toss, Shuffled])
def test_what_is_drawn_is_blamed_on_the_seed(tmp_path: Path, world: type[Guess]) -> None:
    report = judge(world, tmp_path, checks=CHECKS)
    assert answer(report, "runtime.seed_control").status == "fail"
    found = answer(report, "runtime.episode_determinism")
    assert found.findings[0].do.startswith("Draw all chance")


def test_no_seed_is_blamed_where_the_slow_plays_broke_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_slow(self: Unhurried, ground: Ground) -> None:
        raise Timeout("no answer within 1 s", operation="step")

    monkeypatch.setattr(Unhurried, "run", too_slow)
    report = judge(Job, tmp_path, checks=CHECKS)
    seed = answer(report, "runtime.seed_control")
    assert (seed.status, seed.findings) == ("skip", [])
    assert "broke off (step: no answer within 1 s)" in seed.reason
    assert answer(report, "runtime.episode_determinism").status == "fail"
