"""Parts of one target's plan that are played elsewhere, and written here.

Lanes are independent of one another and every draw has its place, so who plays a lane changes
nothing of it. A worker keeps what it plays in memory and sends it back; one that is lost before
has sent nothing, so that nothing counts twice, and its part is played again.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from validator.client.limits import Limits
from validator.episodes import Episode
from validator.events import Audience, EpisodeEnded
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.engine import run_plan
from validator.rollouts.plan import CALM, Lane
from validator.rollouts.rest import left_of, spared
from validator.rollouts.store import EpisodeStore
from validator.targets.base import Server
from validator.targets.url import UrlTarget

log = logging.getLogger(__name__)

SCOUTS = 2
"""Lanes for each session wanted that are played here first: they show how many are served."""
PARTS = 4
"""Parts for each worker: what is lost with one is little, and none waits long for the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """How a worker comes to the target."""

    url: str
    limits: Limits
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    proxy: str | None = None

    def open(self) -> AbstractAsyncContextManager[Server]:
        return UrlTarget(self.url, headers=self.headers, proxy=self.proxy).open(self.limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Lanes for one worker, none of them bound to this process."""

    door: Door
    course: Course


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a worker played."""

    episodes: tuple[Episode, ...]
    lost: tuple[Episode, ...]
    """Attempts that were set aside."""
    rollouts: Rollouts


Submit: TypeAlias = Callable[[Shard], "Future[Part]"]


class _Held(EpisodeStore):
    """Keeps episodes in memory, to be sent."""

    def __init__(self) -> None:
        super().__init__(Path())
        self.episodes: list[Episode] = []
        self.lost: list[Episode] = []

    def append(self, episode: Episode) -> None:
        self.episodes.append(episode)

    def set_aside(self, episode: Episode) -> None:
        self.lost.append(episode)


async def play_shard(shard: Shard) -> Part:
    """Play some lanes and return what came of them.

    Raises:
        TargetError: the target is not reached from here.
    """
    held = _Held()
    async with shard.door.open() as server:
        found = await run_plan(shard.course, server, held, Audience())
    return Part(episodes=tuple(held.episodes), lost=tuple(held.lost), rollouts=found)


class Sharded:
    """Plays the calm lanes of a course on workers, and all else here.

    The first lanes are played here, among them one of each probe: they show how many sessions the
    server stands, which the workers then share, and which probes cannot play. Where it stands
    fewer than two, all is played here.
    """

    def __init__(self, door: Door, submit: Submit, *, workers: int) -> None:
        self._door, self._submit, self._workers = door, submit, workers

    async def __call__(
        self, course: Course, server: Server, store: EpisodeStore, audience: Audience
    ) -> Rollouts:
        """Play what is not in the store yet, and write each episode."""
        began = time.perf_counter()
        left = left_of(course.plan, store)
        known = sum(len(lane.keys) for lane in left)
        found = Rollouts(
            planned=course.plan.episodes - spared(course.plan, store) - known,
            most_open=course.proven,
        )
        first, far, last = _divided(left, course)

        async def here(lanes: Sequence[Lane]) -> None:
            nonlocal found
            if lanes:
                rest = _part_of(course, lanes, began, proven=found.most_open)
                found = found.and_then(await run_plan(rest, server, store, audience))

        await here(first)
        far = [lane for lane in far if lane.keys[0].probe not in found.unplayable]
        workers = min(self._workers, found.most_open)
        if workers < 2 or found.stopped:
            await here([*far, *last] if not found.stopped else [])
            return found
        there, undone = await self._there(course, far, began, found.most_open, store, audience)
        found = found.and_then(there)
        if not found.stopped:
            await here([*undone, *last])
        return found

    async def _there(
        self,
        course: Course,
        lanes: Sequence[Lane],
        began: float,
        proven: int,
        store: EpisodeStore,
        audience: Audience,
    ) -> tuple[Rollouts, list[Lane]]:
        """Have lanes played by workers; return also those that none of them could."""
        workers = min(self._workers, proven)
        turn, started = asyncio.Semaphore(workers), time.perf_counter()
        undone: list[Lane] = []
        parts: list[Rollouts] = []

        async def one(some: Sequence[Lane]) -> None:
            async with turn:
                if any(part.broke for part in parts):
                    return
                share = max(1, proven // workers)
                part = _part_of(course, some, began, proven=share, most_sessions=share)
                shard = Shard(door=self._door, course=_movable(part))
                try:
                    played = await asyncio.wrap_future(self._submit(shard))
                except Exception:
                    log.exception("a part of %s is played here instead", self._door.url)
                    undone.extend(some)
                    return
                parts.append(played.rollouts)
                _write(played, store, audience)

        many = min(len(lanes), workers * PARTS)
        await asyncio.gather(*(one(lanes[number::many]) for number in range(many)))
        return _beside(parts, proven, time.perf_counter() - started), undone


def _divided(lanes: Sequence[Lane], course: Course) -> tuple[list[Lane], list[Lane], list[Lane]]:
    """Return what is played here first, what may be played elsewhere, and what here at last."""
    last = [lane for lane in lanes if lane.phase != CALM]
    near: list[Lane] = []
    far: list[Lane] = []
    for lane in lanes:
        if lane.phase == CALM:
            (far if _travels(lane, course) else near).append(lane)
    scouts = max(0, SCOUTS * course.most_sessions - course.proven)
    first: list[Lane] = []
    rest: list[Lane] = []
    seen: set[str] = set()
    for place, lane in enumerate(far):
        probe = lane.keys[0].probe
        (first if place < scouts or probe not in seen else rest).append(lane)
        seen.add(probe)
    return [*first, *near], rest, last


def _travels(lane: Lane, course: Course) -> bool:
    """Say whether a lane may be played elsewhere: an author's own code stays here."""
    walks = course.plan.walks
    return all(not key.walk or walks[key.walk].solve is None for key in lane.keys)


def _part_of(
    course: Course,
    lanes: Sequence[Lane],
    began: float,
    *,
    proven: int,
    most_sessions: int | None = None,
) -> Course:
    """Return a course of some of the lanes, with the time that is left."""
    return replace(
        course,
        plan=replace(course.plan, lanes=tuple(lanes)),
        seconds=course.seconds - (time.perf_counter() - began),
        proven=proven,
        most_sessions=course.most_sessions if most_sessions is None else most_sessions,
    )


def _movable(course: Course) -> Course:
    """Return a course without what stays here: campaigns, and trajectories it has no use for."""
    used = {key.walk for key in course.plan.keys}
    walks = {name: walk for name, walk in course.plan.walks.items() if name in used}
    plan = replace(course.plan, walks=walks, efforts={})
    return replace(course, plan=plan, casting=course.casting.without_campaigns(walks))


def _write(part: Part, store: EpisodeStore, audience: Audience) -> None:
    """Write what a worker played, its sessions numbered on from those that are there."""
    before = store.sessions
    for episode in part.lost:
        store.set_aside(episode)
    for episode in part.episodes:
        number = before + episode.session if episode.session else 0
        known = replace(episode, session=number)
        store.append(known)
        audience.tell(EpisodeEnded(episode=known))


def _beside(parts: Iterable[Rollouts], proven: int, seconds: float) -> Rollouts:
    """Return what parts that were played side by side found out together."""
    found = Rollouts(planned=0, most_open=proven)
    for part in parts:
        found = found.and_then(replace(part, most_open=proven, refused_at=None))
    return replace(found, seconds=seconds)
