"""A finding of an exercise is shown once more by asking its check alone."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reports.model import CheckResult
from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, MemoryTarget, World
from validator.once_more import Question, ask_again
from validator.recording import read_told


class Nameless(Guess):
    """Keeps no episode id: every state names another episode than the one asked for."""

    def state(self) -> dict[str, Any]:
        return {"episode_id": "mine"}


def both(
    check: str, world: Callable[[], World], folder: Path, *, capacity: int = 8
) -> tuple[CheckResult, CheckResult]:
    """Return a check's answer in a whole run, and when it is asked alone."""
    report = judge(MemoryTarget(world, capacity=capacity), folder)
    question = Question(check=check, told=read_told(folder / "run"))
    target: Any = MemoryTarget(world, capacity=capacity)
    alone = asyncio.run(ask_again(question, target, folder / "again"))
    return answer(report, check), alone


def test_a_finding_of_an_exercise_comes_again_from_that_exercise_alone(tmp_path: Path) -> None:
    then, now = both("runtime.state_contract", Nameless, tmp_path)
    assert then.findings[0].saw == "episode_id 'mine'"
    assert (now.status, now.reason, now.findings) == (then.status, then.reason, then.findings)
    lines = (tmp_path / "again" / "drills.jsonl").read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["named_episodes"]


def test_sessions_that_were_refused_are_refused_again(tmp_path: Path) -> None:
    then, now = both("session.capacity", Guess, tmp_path, capacity=2)
    assert then.reason == "2 sessions at once, 8 wanted"
    assert (now.status, now.reason, now.findings) == (then.status, then.reason, then.findings)


def test_a_run_goes_on_until_the_asked_check_is_settled(tmp_path: Path) -> None:
    """A check that only advises would be left after the first look, of 24 episodes."""
    _, now = both("episode.termination", Guess, tmp_path)
    assert now.reason == "32 of 32 episodes ended by themselves"


def test_what_was_mended_since_is_not_found_again(tmp_path: Path) -> None:
    judge(Nameless, tmp_path)
    question = Question(check="runtime.state_contract", told=read_told(tmp_path / "run"))
    target: Any = MemoryTarget(Guess)
    now = asyncio.run(ask_again(question, target, tmp_path / "again"))
    assert (now.status, now.findings) == ("pass", [])
