"""Leaves sessions as a crash would, in the middle of an episode, and asks for new ones."""

import asyncio
import time
from collections.abc import Mapping
from typing import ClassVar

from validator.client.faults import Refused, SessionFault
from validator.client.frames import Json
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.playing import Turns, agent_of, begin

PAUSES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 3.65)
"""Seconds before each try to be granted a session after the last one was cut: ten in all."""
FEWEST, MOST = 16, 40
"""Sessions cut where the server never refused one."""
SECONDS = 15.0
"""Time after which no further session is cut."""


class Cuts:
    """One session after the other, one more than the server has slots where that is known."""

    name: ClassVar[str] = "cuts"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return how many sessions were cut, and whether one was granted after each.

        None cut and none granted means that what earlier exercises left is still held.
        """
        refused = ground.sessions_refused_at
        wanted = min(
            MOST, max(FEWEST, 2 * ground.sessions_served) if refused is None else refused + 1
        )
        cut, until = 0, time.perf_counter() + SECONDS
        while True:
            if why := await _again(ground, first=not cut):
                return {"cut": cut, "granted": False, "why": why}
            cut += 1
            if cut > wanted or time.perf_counter() > until:
                return {"cut": cut - 1, "granted": True, "why": ""}


async def _again(ground: Ground, *, first: bool) -> str:
    """Have one more session and cut it; return why none was granted, nothing where one was.

    Raises:
        SessionFault: before any was cut, and it is not the server that refuses.
    """
    why = ""
    for pause in PAUSES:
        await asyncio.sleep(pause)
        try:
            async with ground.session() as session:
                await _break_off(ground, session)
        except Refused as fault:
            why = str(fault)[:300]
        except SessionFault as fault:
            if first:
                raise
            why = str(fault)[:300]
        else:
            return ""
    return why


async def _break_off(ground: Ground, session: Session) -> None:
    """Play one step and cut the connection."""
    first = await begin(session, ground.starts[0])
    agent = agent_of(ground, 0)
    if first is not None and agent is not None:
        await Turns(session=session, agent=agent, seen=first).take()
    await session.drop()
