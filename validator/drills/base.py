"""What a server is asked beside episodes: one exercise, its frames, and what happened."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from probes.base import Agent, Finished, Unplayable
from validator.client.faults import Refused, SessionFault, Timeout
from validator.client.frames import Frame, Json
from validator.client.limits import Limits
from validator.client.session import Session
from validator.rollouts.start import Start, Trajectory
from validator.table import EpisodeTable
from validator.targets.base import Server, Target, Task

log = logging.getLogger(__name__)

REVIVAL_PAUSES = (0.0, 0.5, 2.0)
"""Seconds to wait before each try to have a session of a server on which one broke."""
MOST_FATAL = 2
"""Messages kept of a session that the server did not outlive: a reset and a step, mostly."""
FREED_SECONDS = 0.05
"""Time that a server is given to free the slot of a closed session."""
LAST = ("load", "cuts", "exits", "bad_input")
"""Exercises that press a server, or may cost it its slots or its life: carried out when all others
were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillRecord:
    """One exercise as it went."""

    name: str
    facts: Mapping[str, Json]
    """What was seen, as plain JSON: no verdicts."""
    sessions: tuple[tuple[Frame, ...], ...] = ()
    """Raw frames of each session it opened, in the order of opening."""
    fault: str = ""
    """Why it could not be carried to its end; empty where it was."""
    fatal: tuple[str, ...] = ()
    """Last messages of a session that the server did not outlive; empty where it did."""


class Drill(Protocol):
    """One exercise. Checks name those they need; each is carried out once a run."""

    name: ClassVar[str]
    intrusive: ClassVar[bool]
    """It may harm: it is only carried out where the user allows it."""

    async def run(self, ground: "Ground") -> Mapping[str, Json]:
        """Carry it out and return the facts.

        Raises:
            SessionFault: the server would not let it be carried to its end.
        """
        ...


@dataclass(slots=True, kw_only=True)
class Ground:
    """What an exercise has to work with."""

    server: Server
    starts: tuple[Start, ...]
    """Where the run's episodes begin; at least one."""
    begin: "AgentFactory"
    sessions_served: int
    """Most sessions that the rollouts had open at once."""
    sessions_refused_at: int | None
    max_steps: int
    sessions_promised: int | None = None
    """What the author declares; None where nothing is declared."""
    solutions: tuple[Trajectory, ...] = ()
    """What the author declares to solve its task; empty where nothing is declared."""
    oracle_files: tuple[str, ...] = ()
    """Paths under which the manifest names solutions, hacks and answers."""
    listed: tuple[Task, ...] = ()
    """Tasks that are declared, else served: see `validator.starts.listed_tasks`."""
    unlisted: tuple[Task, ...] = ()
    """Tasks that nothing lists."""
    table: EpisodeTable | None = None
    """The episodes that were played in this run."""
    earlier: EpisodeTable | None = None
    """Those of an earlier run on the same target, where the user names one that kept them."""
    twin: Target | None = None
    """A second server of the same environment, where the user names one."""
    limits: Limits = field(default_factory=Limits)
    _frames: list[tuple[Frame, ...]] = field(default_factory=list)
    _broke: tuple[Frame, ...] = ()
    """Frames of the last session that broke; one that got no answer tells nothing new."""
    _open: int = 0
    _closed: list[float] = field(default_factory=list)
    """When the last sessions ended, on the performance counter."""

    def __post_init__(self) -> None:
        self._closed = [time.perf_counter()] * (self.slots or 0)

    @property
    def slots(self) -> int | None:
        """Return the most sessions that may be open at once; None where none was ever refused."""
        known = [n for n in (self.sessions_refused_at, self.sessions_promised) if n is not None]
        return min(known, default=None)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """Open a session; its frames are kept, and it is closed, whatever happens.

        Raises:
            SessionFault: it was not granted.
        """
        await self._wait_for_slot()
        session = await self.server.session()
        self._open += 1
        broke = False
        try:
            yield session
        except SessionFault:
            broke = True
            raise
        finally:
            frames = session.take_frames()
            self._frames.append(frames)
            if broke and (not self._broke or any(frame.way == "received" for frame in frames)):
                self._broke = frames
            await session.close()
            self._open -= 1
            self._closed.append(time.perf_counter())

    async def _wait_for_slot(self) -> None:
        """Give the slots of closed sessions time to be free, where slots are known to be few."""
        slots = self.slots
        if slots is None:
            return
        while True:
            late = time.perf_counter() - FREED_SECONDS
            self._closed = [closed for closed in self._closed if closed > late]
            if not self._closed or self._open + len(self._closed) < slots:
                return
            await asyncio.sleep(FREED_SECONDS / 2)

    async def fatal(self) -> tuple[str, ...]:
        """Return the last messages of a session that broke where the server is gone since.

        Empty where none broke, and where the server answers: a refusal is an answer, and one
        that is slow may still be at work.
        """
        sent = [frame.text for frame in self._broke if frame.way == "sent"]
        if not sent or not await self._gone():
            return ()
        return tuple(sent[-MOST_FATAL:])

    async def _gone(self) -> bool:
        start = self.starts[0]
        for pause in REVIVAL_PAUSES:
            await asyncio.sleep(pause)
            try:
                async with self.session() as session:
                    await session.reset(seed=start.seed, options=start.task.options)
            except (Refused, Timeout):
                return False
            except SessionFault:
                continue
            return False
        return True

    def take_frames(self) -> tuple[tuple[Frame, ...], ...]:
        """Return the frames of the sessions closed so far, and let go of them."""
        frames, self._frames = tuple(self._frames), []
        return frames


class AgentFactory(Protocol):
    """Gives an agent that acts legally without looking; another number, other draws."""

    def __call__(self, number: int) -> Agent: ...


def in_order(drills: Iterable[type[Drill]]) -> list[type[Drill]]:
    """Return exercises in the order in which they are carried out."""
    return sorted(drills, key=lambda drill: LAST.index(drill.name) if drill.name in LAST else -1)


async def carry_out(drill: Drill, ground: Ground, *, seconds: float) -> DrillRecord:
    """Carry out one exercise and return its record, also where the server breaks under it.

    An exercise that raises is our own fault: its record says so, and the run goes on.
    """
    facts: Mapping[str, Json] = {}
    fault = ""
    try:
        async with asyncio.timeout(seconds):
            facts = await drill.run(ground)
    except TimeoutError:
        fault = f"it was not done after {seconds:.3g} s"
    except SessionFault as broken:
        fault = str(broken)
    except (Unplayable, Finished) as idle:
        fault = f"no probe acts here: {idle}"
    except Exception as broken:
        log.exception("exercise %s broke", drill.name)
        fault = f"it broke ({type(broken).__name__}): please report it with the run's log"
    sessions = ground.take_frames()
    fatal = await ground.fatal()
    return DrillRecord(name=drill.name, facts=facts, sessions=sessions, fault=fault, fatal=fatal)
