"""Plays on one session, and on more and more of them at once, against the clock."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import ClassVar

from validator.client.faults import Refused, SessionFault
from validator.client.frames import Frame, Json
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.playing import Turns, agent_of, begin

FEWEST_SESSIONS, MOST_SESSIONS = 8, 32
"""Sessions tried at once: as many as the rollouts had, but no fewer and no more than these."""
ROUNDS = 6
"""Times that each number of sessions is timed: the fewest for which a median has an interval."""
STEPS = 5
"""Steps of each session in a round; one where a reset and a step take over `QUICK_SECONDS`."""
QUICK_SECONDS = 0.1
SECONDS = 6.0
"""Time after which nothing is timed a second time, and only one session and all of them once."""
STEP = '{"type": "step"'


class Load:
    """Opens no more sessions than are known to be served; those that are refused are left out."""

    name: ClassVar[str] = "load"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return, for each number of sessions, seconds and steps of its rounds and of each step.

        Where a session breaks off, what was timed before stands.
        """
        wanted = min(MOST_SESSIONS, max(FEWEST_SESSIONS, ground.sessions_served))
        most = wanted if ground.slots is None else min(wanted, ground.slots)
        timed: dict[int, _Timed] = {}
        if most < 2:
            return {"sizes": [], "fault": ""}
        fault = ""
        try:
            async with AsyncExitStack() as stack:
                sessions = [await stack.enter_async_context(ground.session()) for _ in range(most)]
                await _time_all(
                    [
                        _Player(ground=ground, number=number, session=session)
                        for number, session in enumerate(sessions)
                    ],
                    timed,
                )
        except SessionFault as broken:
            fault = str(broken)[:300]
        return {"sizes": [timed[size].told(size) for size in sorted(timed)], "fault": fault}


class _Timed:
    """What was timed with one number of sessions."""

    def __init__(self) -> None:
        self.rounds: list[tuple[float, int]] = []
        self.steps: list[float] = []

    def told(self, size: int) -> Json:
        return {
            "sessions": size,
            "rounds": [[round(seconds, 6), steps] for seconds, steps in self.rounds],
            "step_seconds": [round(seconds, 6) for seconds in self.steps],
        }


@dataclass(slots=True, kw_only=True)
class _Player:
    """Goes on playing on its session, one episode after the other."""

    ground: Ground
    number: int
    session: Session
    turns: Turns | None = None
    idle: bool = False
    """It has no episode in which anything can be done."""

    async def ready(self) -> None:
        """Begin an episode where none is under way."""
        if self.turns is not None and not self.turns.over:
            return
        start = self.ground.starts[self.number % len(self.ground.starts)]
        agent = agent_of(self.ground, self.number)
        in_vain = agent is None or (self.turns is not None and not self.turns.taken)
        first = None if in_vain else await begin(self.session, start)
        self.idle = first is None
        if first is not None and agent is not None:
            self.turns = Turns(session=self.session, agent=agent, seen=first)

    async def play(self, steps: int) -> int:
        """Take some steps and return how many were answered."""
        answered = 0
        while answered < steps and not self.idle:
            await self.ready()
            if self.turns is not None and not self.idle:
                answered += await self.turns.take() is not None
        return answered


async def _time_all(players: Sequence[_Player], timed: dict[int, _Timed]) -> None:
    """Time one session and all of them first: nothing says so much in so little time."""
    end = time.perf_counter() + SECONDS
    paces = []
    for player in players:
        began = time.perf_counter()
        with suppress(Refused):
            if await player.play(1):
                paces.append(time.perf_counter() - began)
    players = [player for player in players if player.turns is not None and not player.idle]
    if len(players) < 2 or not paces:
        return
    steps = STEPS if min(paces) <= QUICK_SECONDS else 1
    sizes = [size for size in (2, 4, 8, 16) if size < len(players)]
    for size in (1, len(players), *sizes):
        for number in range(ROUNDS):
            late = time.perf_counter() > end
            if late and (number or size in sizes):
                break
            found = timed.setdefault(size, _Timed())
            await _round(players[:size], steps, found)


async def _round(players: Sequence[_Player], steps: int, found: _Timed) -> None:
    for player in players:
        player.session.take_frames()
    began = time.perf_counter()
    answered = await asyncio.gather(*(player.play(steps) for player in players))
    seconds = time.perf_counter() - began
    if sum(answered):
        found.rounds.append((seconds, sum(answered)))
    for player in players:
        found.steps += _answered_in(player.session.take_frames())


def _answered_in(frames: Sequence[Frame]) -> list[float]:
    """Return the seconds from each step sent to what came back."""
    return [
        after.seconds - before.seconds
        for before, after in zip(frames, frames[1:], strict=False)
        if before.way == "sent" and after.way == "received" and before.text.startswith(STEP)
    ]
