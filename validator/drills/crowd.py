"""Plays a few episodes alone, and again beside others: in turns, and all at once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from probes.base import Agent
from probes.oracle.walk import Walk
from validator.client.faults import Refused, SessionFault
from validator.client.frames import Json
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.playing import Turns, agent_of, begin
from validator.rollouts.casting import walker
from validator.rollouts.start import Start, Trajectory

MOST_MEMBERS = 8
STEPS, FEW_STEPS = 15, 5
"""Most steps of each episode; few where a reset and a step take longer than `QUICK_SECONDS`."""
QUICK_SECONDS = 0.1
ROUNDS = 2
"""Times that all play at once."""
ALONE_SECONDS = 4.0
"""Time after which no further member plays alone, once there are two."""
PLAYED, REFUSED = "played", "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    """One episode that is played alone and in the crowd."""

    start: Start
    number: int
    walk: Trajectory | None = None
    script: tuple[Json, ...] | None = None
    """What it did the first time, and does ever after: whatever else differs is the server's."""
    steps: int = 1

    def agent(self, ground: Ground) -> Agent | None:
        if self.walk is not None:
            return walker(self.walk)
        return agent_of(ground, self.number) if self.script is None else Walk(self.script)


_How: TypeAlias = Callable[[Ground, Sequence[_Member], Sequence[Session]], Awaitable[list[Json]]]


class Crowd:
    """Every second member walks a declared solution, where there are some."""

    name: ClassVar[str] = "crowd"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return the members, and pass by pass how each fared.

        The passes are the last sessions of the record.
        """
        passes: list[Json] = []
        members = _members(ground)
        if len(members) < 2:
            return {"members": [], "passes": passes}
        steps = await _pace(ground, members[0])
        members = [replace(member, steps=steps) for member in members]
        members, alone = await _first(ground, members)
        passes += [{"how": "alone", "fared": alone}]
        passes += [{"how": "alone", "fared": await _alone(ground, members)}]
        passes += [{"how": "in turns", "fared": await _together(ground, members, _in_turns)}]
        for _ in range(ROUNDS):
            passes += [{"how": "at once", "fared": await _together(ground, members, _at_once)}]
        passes += [{"how": "alone", "fared": await _alone(ground, members)}]
        return {"members": [_told(member) for member in members], "passes": passes}


def _members(ground: Ground) -> list[_Member]:
    count = MOST_MEMBERS if ground.slots is None else min(ground.slots, MOST_MEMBERS)
    members = []
    for number in range(count):
        if number % 2 and ground.solutions:
            walk = ground.solutions[number // 2 % len(ground.solutions)]
            members.append(_Member(start=walk.start, number=number, walk=walk))
        else:
            start = ground.starts[number % len(ground.starts)]
            members.append(_Member(start=start, number=number))
    return members


def _told(member: _Member) -> Json:
    return {
        "task": member.start.task.id,
        "seed": member.start.seed,
        "walk": member.walk.id if member.walk else "",
    }


async def _pace(ground: Ground, member: _Member) -> int:
    """Return the most steps of an episode, by how long a reset and a step take."""
    async with ground.session() as session:
        began = time.perf_counter()
        await _whole(ground, member, session)
        return STEPS if time.perf_counter() - began <= QUICK_SECONDS else FEW_STEPS


async def _first(ground: Ground, members: Sequence[_Member]) -> tuple[list[_Member], list[Json]]:
    """Play as many members alone as there is time for; return them with what they did."""
    scripted: list[_Member] = []
    fared: list[Json] = []
    began = time.perf_counter()
    for member in members:
        if len(fared) >= 2 and time.perf_counter() - began > ALONE_SECONDS:
            break
        done: list[Json] = []
        async with ground.session() as session:
            fared.append(await _told_of(_whole(ground, member, session, done)))
        scripted.append(replace(member, script=tuple(done)))
    return scripted, fared


async def _alone(ground: Ground, members: Sequence[_Member]) -> list[Json]:
    """Play the members one after the other."""
    fared: list[Json] = []
    for member in members:
        async with ground.session() as session:
            fared.append(await _told_of(_whole(ground, member, session)))
    return fared


async def _together(ground: Ground, members: Sequence[_Member], how: _How) -> list[Json]:
    """Play the members on sessions that are open at the same time.

    They are closed from the last to the first: so they stand in the record.
    """
    async with AsyncExitStack() as stack:
        sessions = [await stack.enter_async_context(ground.session()) for _ in members]
        return await how(ground, members, sessions)


async def _at_once(
    ground: Ground, members: Sequence[_Member], sessions: Sequence[Session]
) -> list[Json]:
    episodes = [_whole(ground, *each) for each in zip(members, sessions, strict=True)]
    return list(await asyncio.gather(*map(_told_of, episodes)))


async def _in_turns(
    ground: Ground, members: Sequence[_Member], sessions: Sequence[Session]
) -> list[Json]:
    fared: list[Json] = [PLAYED] * len(members)
    turns: dict[int, Turns] = {}
    for number, (member, session) in enumerate(zip(members, sessions, strict=True)):
        fared[number] = await _told_of(_begin_into(turns, number, ground, member, session))
    for _ in range(members[0].steps):
        for number, each in turns.items():
            if fared[number] == PLAYED:
                fared[number] = await _told_of(each.take())
    return fared


async def _begin_into(
    turns: dict[int, Turns], number: int, ground: Ground, member: _Member, session: Session
) -> None:
    first, agent = await begin(session, member.start), member.agent(ground)
    if first is not None and agent is not None:
        turns[number] = Turns(session=session, agent=agent, seen=first)


async def _whole(
    ground: Ground, member: _Member, session: Session, done: list[Json] | None = None
) -> None:
    """Play an episode; what was done is added to `done`, however it ends."""
    turns: dict[int, Turns] = {}
    await _begin_into(turns, 0, ground, member, session)
    if turns:
        try:
            await turns[0].play(member.steps)
        finally:
            if done is not None:
                done += turns[0].actions


async def _told_of(playing: Awaitable[object]) -> Json:
    """Play, and say how the session fared."""
    try:
        await playing
    except Refused:
        return REFUSED
    except SessionFault as fault:
        return str(fault)[:300]
    return PLAYED
