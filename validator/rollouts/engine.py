"""Runs a plan over a few sessions and tells what happened."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count, groupby
from operator import attrgetter

from probes.base import AnyAgent, Unplayable
from validator.client.address import read_address
from validator.client.faults import Refused, SessionFault
from validator.client.reading import Observed
from validator.client.session import Session
from validator.episodes import LEARNING, Episode, EpisodeKey
from validator.events import Audience, EpisodeEnded, RolloutsStopped, SessionsChanged
from validator.rollouts.capacity import Capacity
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.faults import PAUSES, Faults, unopened
from validator.rollouts.plan import CAMPAIGNS, Lane
from validator.rollouts.play import play
from validator.rollouts.rest import left_of, spared
from validator.rollouts.store import EpisodeStore
from validator.targets.base import Server

PATIENCE = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Seconds between tries to open a session that was had before: a slot is often freed late."""
RAMP_SECONDS = 0.5
"""Least time between one more session and the next, on a host that is not this machine."""


class _Crowded(Exception):
    """One more session was refused while others were open."""


async def run_plan(
    course: Course, server: Server, store: EpisodeStore, audience: Audience
) -> Rollouts:
    """Play what is not in the store yet, and write each episode as it ends.

    Sessions are opened one by one, each only after the one before has played an episode, up
    to `most_sessions` or to the first refusal. No other request goes to the server meanwhile.
    """
    engine = _Engine(course, server, store, audience)
    began = time.perf_counter()
    await engine.run()
    audience.tell(RolloutsStopped(why=engine.stopped))
    return Rollouts(
        planned=course.plan.episodes - engine.spared,
        most_open=engine.capacity.most_open,
        refused_at=engine.capacity.refused_at,
        unplayable=dict(engine.unplayable),
        stopped=engine.stopped,
        broke=engine.broke,
        cut={name: left for name, left in sorted(engine.cut.items()) if left},
        infrastructure=engine.faults.passing,
        seconds=time.perf_counter() - began,
        bytes_received=engine.bytes_received,
    )


class _Engine:
    """One plan being played: workers take its lanes in turn, each with a session of its own."""

    def __init__(
        self, course: Course, server: Server, store: EpisodeStore, audience: Audience
    ) -> None:
        self._course = course
        self._server = server
        self._store = store
        self._audience = audience
        self._lanes: deque[Lane] = deque()
        self._numbers = count(store.sessions + 1)
        self._workers: set[asyncio.Task[None]] = set()
        self._deadline = time.perf_counter() + course.seconds
        self._rules = replace(course.rules, deadline=self._deadline)
        is_here = read_address(server.about.url).is_loopback
        self.capacity = Capacity(
            most=course.most_sessions,
            proven=course.proven,
            ramp_seconds=0.0 if is_here else RAMP_SECONDS,
        )
        self.faults = Faults(any_started=bool(store.kept) or course.proven > 0)
        self._campaigns_began = 0.0
        self.spared = spared(course.plan, store)
        """Planned episodes that campaigns had no need of, or whose probes cannot play here."""
        self.cut = Counter[str]()
        self.unplayable: dict[str, str] = {}
        self.stopped = ""
        self.broke = False
        self.bytes_received = 0

    async def run(self) -> None:
        left = left_of(self._course.plan, self._store)
        try:
            for phase, lanes in groupby(left, key=attrgetter("phase")):
                self._lanes = deque(lanes)
                if phase == CAMPAIGNS:
                    self._campaigns_began = time.perf_counter()
                while self._lanes and not self._should_stop():
                    for _ in range(max(1, self.capacity.most_open)):
                        self._add_worker()
                    await self._wait_for_workers()
                for lane in () if self.broke else self._lanes:
                    self._cut_short(lane.keys)
            for attempt in self.faults.left() if self.broke else ():
                self._finish(self._told(attempt))  # it may be what broke the server
        finally:
            for worker in self._workers:
                worker.cancel()
            await asyncio.gather(*self._workers, return_exceptions=True)

    async def _wait_for_workers(self) -> None:
        while self._workers:
            done, _ = await asyncio.wait(self._workers, return_when=asyncio.FIRST_COMPLETED)
            self._workers -= done
            for worker in done:
                worker.result()

    def _add_worker(self) -> None:
        if self._lanes and self.capacity.take_place(len(self._workers)):
            self._workers.add(asyncio.create_task(self._work()))

    async def _work(self) -> None:
        while self._lanes and not self._should_stop():
            lane = self._lanes.popleft()
            try:
                await self._play_lane(lane)
            except _Crowded:
                return

    def _should_stop(self) -> bool:
        if not self.stopped and time.perf_counter() > self._deadline:
            self.stopped = f"the time limit of {self._course.seconds:g} s was reached"
        return bool(self.stopped)

    async def _play_lane(self, lane: Lane) -> None:
        session: Session | None = None
        position = number = 0
        try:
            for index, key in enumerate(lane.keys):
                if self._should_stop():
                    self._cut_short(() if self.broke else lane.keys[index:])
                    return
                if self._spares(key) or (agent := self._agent(key)) is None:
                    self.spared += 1
                    continue
                if session is None:
                    rest = replace(lane, keys=lane.keys[index:])
                    session, episode = await self._first(agent, key, rest)
                    position, number = 0, next(self._numbers)
                else:
                    episode = await self._play(session, agent, key, position)
                episode = replace(episode, session=number if session else 0)
                if (pause := await self._lost(episode)) is not None:
                    await self._let_go(session)
                    session = None
                    whole = lane.chained and not lane.campaign
                    await asyncio.sleep(pause)
                    self._lanes.appendleft(lane if whole else replace(lane, keys=lane.keys[index:]))
                    return
                self._finish(self._told(episode))
                position += 1
                if episode.ended == "failed":
                    await self._let_go(session)
                    session = None
                if session is None and lane.chained and not lane.campaign:
                    return  # what would follow has lost what it was to follow
        finally:
            await self._let_go(session)

    def _agent(self, key: EpisodeKey) -> AnyAgent | None:
        """Return the probe's agent for an episode, None where the probe cannot play here."""
        if key.probe in self.unplayable:
            return None
        try:
            return self._course.casting.begin(key)
        except Unplayable as fault:
            self.unplayable[key.probe] = str(fault)
            return None

    def _spares(self, key: EpisodeKey) -> bool:
        """Say whether an episode is not worth playing: its campaign has learned all it can."""
        campaigns = self._course.casting.campaigns
        if not key.campaign or campaigns is None or key.probe in self.unplayable:
            return False
        if key.campaign in LEARNING and self._out_of_time(key):
            self._cut_short([key])
            return True
        try:
            return not campaigns.wants(key)
        except Unplayable:
            return False

    def _cut_short(self, keys: Iterable[EpisodeKey]) -> None:
        """Count the episodes among these that campaigns would have learned from."""
        campaigns = self._course.casting.campaigns
        for key in keys:
            if campaigns is not None and key.campaign in LEARNING:
                with suppress(Unplayable):
                    self.cut[key.probe] += key.probe not in self.unplayable and campaigns.wants(key)

    def _out_of_time(self, key: EpisodeKey) -> bool:
        """Say whether campaigns have had their time: half of what was left at most."""
        began, seconds = self._campaigns_began, self._course.plan.efforts[key.probe].seconds
        if key.campaign == "new":  # it may have had to wait for the one before it
            seconds *= 2
        most = min(seconds, (self._deadline - began) / 2)
        return time.perf_counter() > began + most

    def _told(self, episode: Episode) -> Episode:
        """Tell an episode's campaign of it, and mark the last one that it learned from."""
        campaigns = self._course.casting.campaigns
        if not episode.key.campaign or campaigns is None:
            return episode
        try:
            return replace(episode, last=campaigns.ended(episode))
        except Unplayable as fault:
            self.unplayable[episode.key.probe] = str(fault)
            return episode

    async def _first(
        self, agent: AnyAgent, key: EpisodeKey, rest: Lane
    ) -> tuple[Session | None, Episode]:
        """Open a session and play its first episode, which is when a server grants it.

        Raises:
            _Crowded: no room beside the open sessions; the rest of the lane is put back.
        """
        tries = 0
        while True:
            session: Session | None = None
            began = time.perf_counter()
            try:
                session = await self._server.session()
                opened = time.perf_counter() - began
                episode = await self._play(session, agent, key, 0)
                return session, replace(episode, open_seconds=opened)
            except Refused as fault:
                others, patient = self.capacity.open, tries < len(PATIENCE)
                if others and (len(self._workers) > self.capacity.most_open or not patient):
                    self._lanes.appendleft(rest)
                    if self.capacity.refuse(len(self._workers)):
                        self._audience.tell(SessionsChanged(open=others, refused=True))
                    await self._let_go(session)
                    raise _Crowded from fault
                await self._let_go(session)
                if not patient:
                    return None, unopened(key, fault, began, refused=True)
                await asyncio.sleep(PATIENCE[tries])
                tries += 1
                agent = self._agent(key) or agent
            except SessionFault as fault:
                return None, unopened(key, fault, began, refused=False)

    async def _play(
        self, session: Session, agent: AnyAgent, key: EpisodeKey, position: int
    ) -> Episode:
        return await play(
            session,
            agent,
            key,
            options=self._course.plan.options[key.task].options,
            rules=self._rules,
            position=position,
            on_reset=partial(self._grant, session),
        )

    def _grant(self, session: Session) -> None:
        """Count a session once it is sure to be there: some servers refuse at the first frame."""
        self.faults.any_started = True
        if self.capacity.grant(session):
            self._audience.tell(SessionsChanged(open=self.capacity.most_open, refused=False))

    def _finish(self, episode: Episode) -> None:
        episode = self.faults.furthest(episode)
        self._store.append(episode)
        self.bytes_received += sum(len(f.text) for f in episode.frames if f.way == "received")
        if episode.unplayable and not episode.key.walk:
            self.unplayable[episode.key.probe] = episode.unplayable
        self._audience.tell(EpisodeEnded(episode=episode))
        if episode.ended != "failed":
            self._add_worker()

    async def _lost(self, episode: Episode) -> float | None:
        """Return the seconds until an attempt that was lost is made again; it is set aside then."""
        why = self.faults.stops(episode)
        if why and not (self.faults.passing and await self._is_well(episode.key)):
            self.broke, self.stopped = True, self.stopped or why
        if self._should_stop() or (pause := self.faults.pause(episode)) is None:
            return None
        self._store.set_aside(episode)
        return pause

    async def _is_well(self, key: EpisodeKey) -> bool:
        """Say whether the server answers a reset, or refuses a session as one that is full does."""
        for pause in (0.0, *PAUSES):
            await asyncio.sleep(pause)
            session: Session | None = None
            try:
                session = await self._server.session()
                options = self._course.plan.options[key.task].options
                if isinstance(await session.reset(seed=key.seed, options=options), Observed):
                    return True
            except Refused:
                return True
            except SessionFault:
                continue
            finally:
                await self._let_go(session)
        return False

    async def _let_go(self, session: Session | None) -> None:
        if session is not None:
            self.capacity.let_go(session)
            await session.close()
