"""Parts of a plan that others play: the same episodes, each once, whatever becomes of a worker."""

import asyncio
import pickle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.validator.memory import Guess, MemoryTarget
from tests.validator.probes import Helpless, Steady
from tests.validator.rollouts.test_engine import content, course
from validator.client.limits import Limits
from validator.engines.shards import Part, Shard, Sharded, play_shard
from validator.episodes import EpisodeKey
from validator.errors import TargetError
from validator.events import Audience, EpisodeEnded, Event
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.engine import run_plan
from validator.rollouts.store import EpisodeStore, Stored, read_episodes


@dataclass
class Door:
    """Leads to a target in this process."""

    target: MemoryTarget
    url: str = "http://memory.localhost:1"

    def open(self) -> Any:
        most = self.target.die_after
        if most is not None and self.target.frames > most:
            raise TargetError("no answer", where=self.url, do="Start it.")
        return self.target.open(Limits())


class Workers:
    """Threads, each with a loop of its own; what they are given has to survive being sent."""

    def __init__(self, breaks: Callable[[int], bool] = lambda number: False) -> None:
        self.pool = ThreadPoolExecutor(2)
        self.shards: list[Shard] = []
        self.breaks = breaks

    def submit(self, shard: Shard) -> "Future[Part]":
        number = len(self.shards)
        self.shards.append(shard)
        moved = replace(shard, course=pickle.loads(pickle.dumps(shard.course)))
        return self.pool.submit(self.play, moved, number)

    def play(self, shard: Shard, number: int) -> Part:
        if self.breaks(number):
            raise OSError("the worker is gone")
        return asyncio.run(play_shard(shard))

    @property
    def keys(self) -> list[EpisodeKey]:
        return [key for shard in self.shards for key in shard.course.plan.keys]


def played(
    path: Path, target: MemoryTarget, told: Course, workers: Workers | None
) -> tuple[Rollouts, dict[EpisodeKey, Stored], list[Event]]:
    store = EpisodeStore.resume(path) if path.exists() else EpisodeStore.create(path)
    events: list[Event] = []
    play: Any = run_plan
    if workers is not None:
        door: Any = Door(target)
        play = Sharded(door, workers.submit, workers=2)
    try:
        found = asyncio.run(play(told, target, store, Audience([events.append])))
    finally:
        store.close()
    stored = list(read_episodes(path))
    assert len(stored) == len({one.key for one in stored})
    return found, {one.key: one for one in stored}, events


@pytest.mark.parametrize("lost", [0, 1, 8], ids=["none lost", "one lost", "all lost"])
def test_episodes_are_those_of_this_process(tmp_path: Path, lost: int) -> None:
    workers = Workers(lambda number: number < lost)
    alone, here, _ = played(tmp_path / "here", MemoryTarget(Guess), course(2), None)
    found, there, events = played(tmp_path / "there", MemoryTarget(Guess), course(2), workers)
    assert {key: content(one) for key, one in there.items()} == {
        key: content(one) for key, one in here.items()
    }
    assert (found.planned, found.stopped) == (alone.planned, "")
    assert found.most_open == 2
    assert len(workers.shards) == 8
    assert 0 < len(workers.keys) < found.planned
    assert len([one for one in events if isinstance(one, EpisodeEnded)]) == found.planned


def test_no_two_sessions_have_one_number(tmp_path: Path) -> None:
    _, there, _ = played(tmp_path / "e", MemoryTarget(Guess), course(2), Workers())
    places = Counter((one.record["session"], one.record["position"]) for one in there.values())
    assert set(places.values()) == {1}


def test_workers_share_the_sessions_that_were_seen_to_be_served(tmp_path: Path) -> None:
    workers = Workers()
    target = MemoryTarget(Guess, capacity=3)
    found, _, _ = played(tmp_path / "e", target, course(8), workers)
    assert found.most_open == 3
    assert {(one.course.most_sessions, one.course.proven) for one in workers.shards} <= {(1, 1)}
    assert target.most_sessions == 3


def test_what_serves_one_session_is_played_here(tmp_path: Path) -> None:
    workers = Workers()
    found, there, _ = played(tmp_path / "e", MemoryTarget(Guess, capacity=1), course(8), workers)
    assert (workers.shards, found.most_open, len(there)) == ([], 1, found.planned)


def test_a_probe_that_cannot_play_is_not_sent(tmp_path: Path) -> None:
    workers = Workers()
    told = course(2, Steady(), Helpless())
    alone, here, _ = played(tmp_path / "here", MemoryTarget(Guess), told, None)
    found, there, _ = played(tmp_path / "there", MemoryTarget(Guess), told, workers)
    assert found.unplayable == alone.unplayable
    assert set(there) == set(here)


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    told = course(2)
    half = replace(told, plan=replace(told.plan, lanes=told.plan.lanes[::2]))
    played(tmp_path / "e", MemoryTarget(Guess), half, None)
    workers = Workers()
    found, there, events = played(tmp_path / "e", MemoryTarget(Guess), told, workers)
    assert set(there) == set(told.plan.keys)
    assert not set(workers.keys) & set(half.plan.keys)
    assert found.planned == told.plan.episodes
    new = [one for one in events if isinstance(one, EpisodeEnded)]
    assert len(new) == told.plan.episodes - half.plan.episodes


def test_a_server_that_breaks_ends_the_run(tmp_path: Path) -> None:
    target = MemoryTarget(Guess, die_after=90)
    workers = Workers()
    found, there, _ = played(tmp_path / "e", target, course(2), workers)
    assert workers.shards
    assert found.broke
    assert found.stopped
    assert len(there) < course(2).plan.episodes
