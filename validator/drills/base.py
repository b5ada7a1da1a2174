"""What a server is asked beside episodes: one exercise, its frames, and what happened."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from probes.base import Agent, Finished, Unplayable
from validator.client.faults import SessionFault
from validator.client.frames import Frame, Json
from validator.client.session import Session
from validator.rollouts.start import Start
from validator.targets.base import Server


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
    _frames: list[tuple[Frame, ...]] = field(default_factory=list)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """Open a session; its frames are kept, and it is closed, whatever happens.

        Raises:
            SessionFault: it was not granted.
        """
        session = await self.server.session()
        try:
            yield session
        finally:
            self._frames.append(session.take_frames())
            await session.close()

    def take_frames(self) -> tuple[tuple[Frame, ...], ...]:
        """Return the frames of the sessions closed so far, and let go of them."""
        frames, self._frames = tuple(self._frames), []
        return frames


class AgentFactory(Protocol):
    """Gives an agent that acts legally without looking; another number, other draws."""

    def __call__(self, number: int) -> Agent: ...


async def carry_out(drill: Drill, ground: Ground) -> DrillRecord:
    """Carry out one exercise and return its record, also where the server breaks under it."""
    facts: Mapping[str, Json] = {}
    fault = ""
    try:
        facts = await drill.run(ground)
    except SessionFault as broken:
        fault = str(broken)
    except (Unplayable, Finished) as idle:
        fault = f"no probe acts here: {idle}"
    return DrillRecord(name=drill.name, facts=facts, sessions=ground.take_frames(), fault=fault)
