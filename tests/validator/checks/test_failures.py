"""What a failure looks like from outside."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer
from tests.validator.memory import World, observation
from tests.validator.quiz import Quiz, ask


class OverAtReset(Quiz):
    """Every ninth reset fails inside, and is answered as an episode that is over."""

    resets = itertools.count()

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        return found | {"done": True, "reward": 0.0} if next(self.resets) % 9 == 8 else found


class BusyAtReset(Quiz):
    """Healthy: every ninth reset fails and says so."""

    resets = itertools.count()

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        if next(self.resets) % 9 == 8:
            raise ValueError("busy, try again")
        return super().reset(data)


class LongUnpaid(Quiz):
    """Grading gives up on long answers."""

    def grade(self, answer: str) -> float | None:
        return None if len(answer) > 60 else super().grade(answer)


class LongRefused(Quiz):
    """Healthy: refuses long answers."""

    def grade(self, answer: str) -> float | None:
        if len(answer) > 60:
            raise ValueError("too long to be graded")
        return super().grade(answer)


class LongBreaks(Quiz):
    """Crashes on long answers and books that as zero."""

    def step(self, action: Any) -> dict[str, Any]:
        if len(action["answer"]) > 60:
            return observation({"remark": "Internal error: parser"}, reward=0.0, done=True)
        return super().step(action)


class Stale(Quiz):
    """Gives the last reward again where grading gives up."""

    last = 0.0

    def grade(self, answer: str) -> float | None:
        if len(answer) <= 60:
            self.last = super().grade(answer) or 0.0
        return self.last


@pytest.mark.parametrize(
    ("world", "claim"),
    [
        (Quiz, ""),
        (BusyAtReset, ""),
        (LongRefused, ""),
        (OverAtReset, "a reset is answered with an episode that is over"),
        (LongUnpaid, "an action ends the episode without a reward"),
        (LongBreaks, "a breakdown ends the episode with a reward and no error"),
        (Stale, "the last reward is paid once more"),
    ],
)
def test_a_failure_is_told_and_not_booked(tmp_path: Path, world: type[World], claim: str) -> None:
    report = ask(world, tmp_path, declared={"oracle": {"policy": "solver.py:solve"}})
    found = answer(report, "episode.failure_accounting")
    assert (found.status, found.question) == ("fail" if claim else "pass", False), found.reason
    assert found.reason.startswith(claim)
    if world is BusyAtReset:
        assert int(found.reason.split()[0]) > 0
    if world is LongRefused:
        assert "of 6 unwelcome actions 3 were refused" in found.reason
