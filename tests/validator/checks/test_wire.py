"""Checks of the wire: what bad input, reading and promises come to, a fault and its twin each."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, MemoryTarget, World

HEALTHY = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}


class Leaves(Guess):
    """Ends the session on a move that it does not know."""

    def step(self, action: Any) -> dict[str, Any]:
        if not isinstance(action.get("move"), int):
            raise SystemExit
        return super().step(action)


class Sticks(Guess):
    """Never works again in a session that has sent nonsense."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        if getattr(self, "_stuck", False):
            raise ValueError("the engine is stuck")
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        self._stuck = getattr(self, "_stuck", False) or not isinstance(action.get("move"), int)
        if self._stuck:
            raise ValueError("the engine is stuck")
        return super().step(action)


class Lenient(Guess):
    """Takes any move for the first."""

    def step(self, action: Any) -> dict[str, Any]:
        move = action.get("move")
        return super().step({"move": move if move in (0, 1, 2) else 0})


class Tells(Lenient):
    """Takes any move for the first, and says that it was wrong."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        legal = action.get("move") in (0, 1, 2)
        found["observation"] |= {"note": "" if legal else "Invalid move"}
        return found


INPUTS: list[tuple[type[World], str, bool]] = [
    (Guess, "pass", False),
    (Leaves, "fail", False),
    (Sticks, "fail", False),
    (Lenient, "fail", True),
    (Tells, "pass", False),
]


@pytest.mark.parametrize(("world", "status", "question"), INPUTS)
def test_bad_input_gets_an_error_and_the_session_lives(
    tmp_path: Path, world: Callable[[], World], status: str, question: bool
) -> None:
    target = MemoryTarget(world, checks_actions=world is Guess)
    found = answer(judge(target, tmp_path, declared=HEALTHY), "wire.error_contract")
    assert (found.status, found.question) == (status, question), found.reason
    assert bool(found.findings) == (status == "fail")


def test_the_message_that_ended_the_session_is_named(tmp_path: Path) -> None:
    target = MemoryTarget(Leaves, checks_actions=False)
    found = answer(judge(target, tmp_path, declared=HEALTHY), "wire.error_contract")
    assert found.reason == "2 malformed messages end the session"
    assert '{"type": "step", "data": {}}' in found.findings[0].reproduce
