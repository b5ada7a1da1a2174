"""The engine plays a plan, finds the capacity, and loses nothing."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probes.base import Lane
from tests.validator.memory import Guess, MemoryTarget, World, observation
from tests.validator.probes import Broken, Dice, Helpless, Steady, Unwritable
from tests.validator.stores import leave
from validator.episodes import EpisodeKey
from validator.events import Audience, EpisodeEnded, Event, RolloutsStopped, SessionsChanged
from validator.rollouts.casting import Casting
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.engine import run_plan
from validator.rollouts.needs import Need
from validator.rollouts.plan import plan_episodes
from validator.rollouts.play import Rules
from validator.rollouts.start import Start
from validator.rollouts.store import EpisodeStore, Stored, read_episodes
from validator.targets.base import Task

SEEDS = (0, 5, 9, 14)
NEEDS = (
    Need(rung="null", starts=4),
    Need(rung="blind", starts=4, repeats=8),
    Need(rung="blind", starts=2, scripted=True, replays=2),
    Need(rung="blind", starts=2, scripted=True, replays=1, condition="reused"),
)


def course(sessions: int, *probes: Any, seconds: float = 60.0, max_steps: int = 20) -> Course:
    probes = probes or (Steady(), Dice())
    starts = [Start(task=Task(id="-", options={}), seed=seed) for seed in SEEDS]
    rungs = {probe.name: probe.rung for probe in probes}
    plan = plan_episodes(NEEDS, starts, rungs, ceiling=1000)
    lane = Lane(action_schema=None, tools=None)
    return Course(
        plan=plan,
        casting=Casting({probe.name: probe for probe in probes}, plan.walks, lane=lane, seed=3),
        rules=Rules(max_steps=max_steps),
        most_sessions=sessions,
        seconds=seconds,
    )


def played(
    path: Path, target: MemoryTarget, told: Course, events: list[Event] | None = None
) -> tuple[Rollouts, dict[EpisodeKey, Stored]]:
    store = EpisodeStore.resume(path) if path.exists() else EpisodeStore.create(path)
    audience = Audience([] if events is None else [events.append])
    try:
        found = asyncio.run(run_plan(told, target, store, audience))
    finally:
        store.close()
    return found, {stored.key: stored for stored in read_episodes(path)}


def content(stored: Stored) -> tuple[Any, ...]:
    record = stored.record
    frames = [(way, text) for way, text, _ in record["frames"]]
    return (record["outcome"], record["ended"], record["rewards"], record["done"], frames)


def test_every_planned_episode_is_played_once_and_scored(tmp_path: Path) -> None:
    told = course(4)
    found, episodes = played(tmp_path / "e", MemoryTarget(Guess), told)
    planned = [key for lane in told.plan.lanes for key in lane.keys]
    assert found.planned == len(planned) == len(set(planned))
    assert set(episodes) == set(planned)
    assert {e.record["outcome"][0] for e in episodes.values()} == {"scored"}
    assert found.stopped == ""
    assert not found.broke


@pytest.mark.parametrize("sessions", [1, 2, 8])
def test_episodes_do_not_depend_on_how_many_run_at_once(tmp_path: Path, sessions: int) -> None:
    _, alone = played(tmp_path / "one", MemoryTarget(Guess), course(1))
    _, many = played(tmp_path / "many", MemoryTarget(Guess), course(sessions))
    assert {key: content(e) for key, e in alone.items()} == {
        key: content(e) for key, e in many.items()
    }


@pytest.mark.parametrize("capacity", [1, 3])
def test_the_capacity_is_found_and_kept_to(tmp_path: Path, capacity: int) -> None:
    target = MemoryTarget(Guess, capacity=capacity)
    events: list[Event] = []
    found, episodes = played(tmp_path / "e", target, course(8), events)
    assert (found.most_open, found.refused_at) == (capacity, capacity)
    assert target.most_sessions == capacity
    assert len(episodes) == found.planned
    assert Counter(e.record["outcome"][0] for e in episodes.values()) == {"scored": found.planned}
    assert [e.open for e in events if isinstance(e, SessionsChanged) and e.refused][0] == capacity


def test_another_host_is_asked_for_one_more_session_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("validator.rollouts.engine.RAMP_SECONDS", 600.0)
    elsewhere = MemoryTarget(Guess)
    elsewhere.about = replace(elsewhere.about, url="http://192.0.2.1:8000")
    for target, most in ((elsewhere, 1), (MemoryTarget(Guess), 8)):
        found, episodes = played(tmp_path / str(most), target, course(8))
        assert (found.most_open, found.refused_at) == (most, None)
        assert len(episodes) == found.planned


def test_a_slot_that_is_freed_late_is_no_news_about_the_capacity(tmp_path: Path) -> None:
    target = MemoryTarget(Guess, capacity=3, late=0.02)
    found, episodes = played(tmp_path / "e", target, course(2))
    assert (found.most_open, found.refused_at) == (2, None)
    assert Counter(e.record["outcome"][0] for e in episodes.values()) == {"scored": found.planned}


def test_a_second_session_waits_for_the_first_episode(tmp_path: Path) -> None:
    """A server that breaks under two sessions is not asked for two before one has worked."""
    target = MemoryTarget(Guess, die_after=0)
    found, _ = played(tmp_path / "e", target, course(8))
    assert found.broke
    assert target.most_sessions == 0
    assert target.frames == 3


def test_a_server_that_dies_ends_the_run_and_says_so(tmp_path: Path) -> None:
    events: list[Event] = []
    found, episodes = played(tmp_path / "e", MemoryTarget(Guess, die_after=60), course(2), events)
    outcomes = Counter(e.record["outcome"][0] for e in episodes.values())
    assert found.broke
    assert "in a row failed" in found.stopped
    assert outcomes["failed"] >= 1
    assert outcomes["failed"] + len(list(read_episodes(tmp_path / "e-lost"))) >= 8
    assert len(episodes) < found.planned
    assert isinstance(events[-1], RolloutsStopped)
    assert events[-1].why == found.stopped


def test_a_run_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    path = tmp_path / "e"
    played(path, MemoryTarget(Guess, die_after=60), course(1))
    whole = [one for one in read_episodes(path) if one.record["outcome"][0] != "failed"]
    leave(path, whole)
    events: list[Event] = []
    found, resumed = played(path, MemoryTarget(Guess), course(1), events)
    _, fresh = played(tmp_path / "fresh", MemoryTarget(Guess), course(1))
    assert {key: content(e) for key, e in resumed.items()} == {
        key: content(e) for key, e in fresh.items()
    }
    again = sum(isinstance(event, EpisodeEnded) for event in events)
    assert found.planned - len(whole) <= again < found.planned


def test_a_probe_without_an_action_ends_its_own_episodes_only(tmp_path: Path) -> None:
    found, episodes = played(tmp_path / "e", MemoryTarget(Guess), course(2, Helpless(), Dice()))
    assert found.unplayable == {"helpless": "no action fits"}
    by_probe = Counter(key.probe for key in episodes)
    assert by_probe["helpless"] <= 2
    assert by_probe["random"] > 30


@pytest.mark.parametrize(
    ("broken", "fault", "shown"),
    [
        (Broken(), "IndexError", "list index out of range"),
        (Unwritable(), "TypeError", "set is not JSON serializable"),
    ],
)
def test_a_probe_that_breaks_ends_its_own_episodes_only(
    broken: Broken, fault: str, shown: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    target = MemoryTarget(Endless)
    found, episodes = played(tmp_path / "e", target, course(2, broken, Dice()))
    told = f"the probe broke ({fault}): please report it with the run's log"
    assert found.unplayable == {"broken": told}
    assert not found.broke
    mine = [one.record for key, one in episodes.items() if key.probe == "broken"]
    assert [(one["ended"], len(one["rewards"])) for one in mine][:1] == [("failed", 2)]
    assert len(mine) <= 2
    assert Counter(key.probe for key in episodes)["random"] > 30
    assert shown in caplog.text


class Endless:
    """Never ends; pays one point on every other step."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._steps = 0
        return observation("begun")

    def step(self, action: Any) -> dict[str, Any]:
        self._steps += 1
        return observation("going", reward=self._steps % 2)


def test_an_endless_episode_is_ended_by_our_own_cap(tmp_path: Path) -> None:
    _, episodes = played(tmp_path / "e", MemoryTarget(Endless), course(1, max_steps=7))
    assert {e.record["ended"] for e in episodes.values()} == {"step_cap"}
    assert {tuple(e.record["outcome"]) for e in episodes.values()} == {("scored", 4.0)}


class Nothing(Endless):
    """Pays null for ever."""

    def step(self, action: Any) -> dict[str, Any]:
        return observation("going", reward=None, done=True)


class Refusing(Endless):
    """Takes no action."""

    def step(self, action: Any) -> dict[str, Any]:
        raise ValueError("no such move")


@pytest.mark.parametrize(
    ("world", "outcome"), [(Nothing, "absent"), (Refusing, "failed"), (Guess, "scored")]
)
def test_null_error_and_zero_stay_apart(tmp_path: Path, world: type[World], outcome: str) -> None:
    _, episodes = played(tmp_path / "e", MemoryTarget(world), course(2))
    assert {e.record["outcome"][0] for e in episodes.values()} == {outcome}


def test_nothing_is_started_once_the_time_is_up(tmp_path: Path) -> None:
    found, episodes = played(tmp_path / "e", MemoryTarget(Endless), course(2, seconds=0.0))
    assert episodes == {}
    assert "time limit" in found.stopped
    assert not found.broke
