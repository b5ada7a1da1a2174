"""A fault drill: what happens between client and server is no reward, and costs no episode."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from probes.base import Json, Lane, Rung, Seen
from tests.conftest import Served
from tests.servers.chaos import KINDS, Chaos
from validator.client.limits import Limits
from validator.episodes import EpisodeKey, Scored
from validator.events import Audience, EpisodeEnded, Event
from validator.rollouts.casting import Casting
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.engine import run_plan
from validator.rollouts.plan import Lane as SessionLane
from validator.rollouts.plan import Plan
from validator.rollouts.play import Rules
from validator.rollouts.store import EpisodeStore, read_episodes
from validator.table import EpisodeTable
from validator.targets.base import Task
from validator.targets.url import UrlTarget

pytestmark = pytest.mark.servers

HASTY = Limits(reset_seconds=1.0, step_seconds=1.0)
"""Wrong lengths make a client wait for more than there is."""
EACH = 2
"""Episodes of a session."""


class Counts:
    """Guesses the numbers from 0 on."""

    name = "counts"
    version = "1"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: Any) -> "Counts":
        return self

    def act(self, seen: Seen) -> Json:
        return {"number": seen.step * 2}


def course(episodes: int) -> Course:
    keys = [EpisodeKey(task="-", seed=seed, probe="counts", repeat=0) for seed in range(episodes)]
    lanes = [
        SessionLane(keys=tuple(keys[begin : begin + EACH])) for begin in range(0, episodes, EACH)
    ]
    lane = Lane(action_schema=None, tools=None)
    return Course(
        plan=Plan(lanes=tuple(lanes), options={"-": Task(id="-", options={})}),
        casting=Casting({"counts": Counts()}, {}, lane=lane, seed=0),
        rules=Rules(max_steps=10),
        most_sessions=4,
        seconds=600.0,
    )


async def played(url: str, path: Path, told: Course, events: list[Event]) -> Rollouts:
    async with UrlTarget(url).open(HASTY) as server:
        store = EpisodeStore.create(path)
        try:
            return await run_plan(told, server, store, Audience([events.append]))
        finally:
            store.close()


async def through(
    url: str, path: Path, told: Course, *, chance: float
) -> tuple[Rollouts, Counter[str], list[Event]]:
    parts, events = urlsplit(url), list[Event]()
    assert parts.port is not None
    async with Chaos(parts.port, chance=chance, seed=5) as chaos:
        found = await played(chaos.url + parts.path, path, told, events)
        return found, Counter({str(kind): many for kind, many in chaos.faults.items()}), events


def drill(served: Served, folder: Path, episodes: int) -> Counter[str]:
    """Play through the proxy and without it, compare, and return the faults there were."""
    told = course(episodes)
    asyncio.run(played(served("toy"), folder / "clean", told, []))
    found, faults, events = asyncio.run(
        through(served("toy"), folder / "faulty", told, chance=0.35)
    )
    assert not found.stopped
    clean = {row.key: row for row in EpisodeTable.of(folder / "clean").rows}
    table = EpisodeTable.of(folder / "faulty")
    planned = {key for lane in told.plan.lanes for key in lane.keys}
    assert {row.key for row in table.rows} == planned == set(clean)
    assert len(list(read_episodes(folder / "faulty"))) == len(planned)
    assert Counter(e.episode.key for e in events if isinstance(e, EpisodeEnded)) == Counter(planned)
    whole = [row for row in table.rows if isinstance(row.outcome, Scored)]
    for row in whole:
        assert row.outcome == clean[row.key].outcome
        assert row.values == clean[row.key].values
        assert row.dones == clean[row.key].dones
    failed = [row for row in table.rows if row.ended == "failed"]
    assert len(whole) + len(failed) == len(planned)
    lost = [stored.record["outcome"][0] for stored in read_episodes(folder / "faulty-lost")]
    assert set(lost) == {"failed"}
    assert 0 < found.infrastructure <= len(lost) <= sum(faults.values()) - faults["delay"]
    assert len(failed) <= len(planned) // 20
    return faults


def test_faults_on_the_way_are_no_rewards_and_cost_no_episode(
    served: Served, tmp_path: Path
) -> None:
    faults = drill(served, tmp_path, 60)
    assert len(faults) >= len(KINDS) - 2


@pytest.mark.slow
def test_a_thousand_faulted_episodes(served: Served, tmp_path: Path) -> None:
    faults = drill(served, tmp_path, 5_600)
    assert sum(faults.values()) >= 1_000
