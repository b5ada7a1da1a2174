"""Exercises: in which order they come, how many slots they leave alone, what a fault leaves."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from probes.base import Unplayable
from tests.validator.memory import Guess, MemoryTarget
from validator.client.frames import Json
from validator.drills.bad_input import BadInput
from validator.drills.base import DrillRecord, Ground, carry_out, in_order
from validator.drills.crowd import Crowd
from validator.drills.cuts import Cuts
from validator.drills.looking import Looking
from validator.drills.playing import agent_of, begin
from validator.drills.store import read, rewrite
from validator.rollouts.start import Start
from validator.targets.base import Task


def idle(number: int) -> object:
    raise Unplayable("no probe acts here")


def ground(target: MemoryTarget, *, slots: int | None = None) -> Ground:
    return Ground(
        server=target,
        starts=(Start(task=Task(id="-", options={}), seed=1),),
        begin=idle,  # type: ignore[arg-type]
        sessions_served=8,
        sessions_refused_at=slots,
        max_steps=5,
    )


class Idle:
    """Asks for an agent where there is none."""

    name: ClassVar[str] = "idle"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        ground.begin(0)
        return {}


class Breaks:
    """Makes a mistake of its own in the middle."""

    name: ClassVar[str] = "breaks"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        async with ground.session() as session:
            await begin(session, ground.starts[0])
            return {"third": [0, 1][2]}


class Many:
    """Has many sessions, one after the other, each closed before the next."""

    name: ClassVar[str] = "many"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        for _ in range(6):
            async with ground.session() as session:
                await begin(session, ground.starts[0])
        return {"done": True}


def test_what_may_cost_a_server_its_life_comes_last() -> None:
    assert in_order([BadInput, Crowd, Cuts, Looking]) == [Crowd, Looking, Cuts, BadInput]


class Waits:
    """Never comes to its end."""

    name: ClassVar[str] = "waits"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        async with ground.session() as session:
            await begin(session, ground.starts[0])
            await asyncio.Event().wait()
        return {"done": True}


def test_an_exercise_has_its_time_and_what_it_sent_is_kept() -> None:
    record = asyncio.run(carry_out(Waits(), ground(MemoryTarget(Guess)), seconds=0.2))
    assert (record.fault, record.facts) == ("it was not done after 0.2 s", {})
    assert [frame.way for frames in record.sessions for frame in frames] == ["sent", "received"]


def test_an_exercise_without_a_probe_is_a_fault_and_no_crash() -> None:
    record = asyncio.run(carry_out(Idle(), ground(MemoryTarget(Guess)), seconds=60))
    assert (record.fault, record.facts) == ("no probe acts here: no probe acts here", {})
    assert agent_of(ground(MemoryTarget(Guess)), 0) is None


def test_an_exercise_that_breaks_is_a_fault_and_ends_no_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record = asyncio.run(carry_out(Breaks(), ground(MemoryTarget(Guess)), seconds=60))
    told = "it broke (IndexError): please report it with the run's log"
    assert (record.fault, record.facts, record.fatal) == (told, {}, ())
    assert len(record.sessions) == 1, "its frames are kept"
    assert "IndexError: list index out of range" in caplog.text


def test_slots_that_are_few_are_given_time_to_be_free() -> None:
    target = MemoryTarget(Guess, capacity=2, late=0.01)
    record = asyncio.run(carry_out(Many(), ground(target, slots=2), seconds=60))
    assert (record.fault, record.facts) == ("", {"done": True})
    assert len(record.sessions) == 6
    assert target.most_sessions <= 2


def test_a_server_that_is_gone_has_not_kept_a_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validator.drills.base.REVIVAL_PAUSES", (0.0,))
    record = asyncio.run(carry_out(Cuts(), ground(MemoryTarget(Guess, die_after=0)), seconds=60))
    assert record.facts == {}
    assert "the connection dropped" in record.fault


def test_a_session_that_breaks_on_a_server_that_lives_is_not_fatal() -> None:
    class Broken(Guess):
        def reset(self, data: dict[str, Any]) -> dict[str, Any]:
            found = super().reset(data)
            if target.frames == 3:
                raise SystemExit
            return found

    target = MemoryTarget(Broken)
    record = asyncio.run(carry_out(Many(), ground(target), seconds=60))
    assert "the session has ended" in record.fault
    assert (record.fatal, len(record.sessions)) == ((), 3)


def test_a_full_server_is_not_gone() -> None:
    record = asyncio.run(carry_out(Many(), ground(MemoryTarget(Guess, capacity=0)), seconds=60))
    assert record.fatal == ()


def test_the_last_messages_before_a_server_goes_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("validator.drills.base.REVIVAL_PAUSES", (0.0, 0.0))
    record = asyncio.run(carry_out(Many(), ground(MemoryTarget(Guess, die_after=2)), seconds=60))
    assert record.fatal == ('{"type": "reset", "data": {"seed": 1}}',)
    rewrite(tmp_path / "drills.jsonl", [record])
    assert [kept.fatal for kept in read(tmp_path / "drills.jsonl")] == [record.fatal]


def test_exercises_outlive_a_rewriting_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "drills.jsonl"
    first, second = DrillRecord(name="first", facts={}), DrillRecord(name="second", facts={})
    rewrite(path, [first, second])

    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        rewrite(path, [first])
    assert [record.name for record in read(path)] == ["first", "second"]
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_server_that_refuses_at_once_has_kept_its_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validator.drills.cuts.PAUSES", (0.0, 0.01))
    record = asyncio.run(carry_out(Cuts(), ground(MemoryTarget(Guess, capacity=0)), seconds=60))
    assert (record.fault, record.facts["granted"], record.facts["cut"]) == ("", False, 0)
