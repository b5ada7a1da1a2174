"""Plays the same actions with and without looking around: at the state, at the list of tools."""

from collections.abc import Mapping
from typing import ClassVar

from probes.base import Agent
from probes.oracle.walk import Walk
from validator.client.frames import Json
from validator.client.mcp import LIST_TOOLS, read_tools
from validator.client.reading import McpRead
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.playing import Turns, agent_of, begin

STEPS = 12
MOST_NAMES = 200


class Looking:
    """Three sessions, one after the other: plain, plain again, and looking before everything.

    Looking is to read the state, and to list the tools where there are any. All three do what the
    first one did, whatever they see.
    """

    name: ClassVar[str] = "looking"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return which of the record's sessions looked, and the names of each listing of tools."""
        listings: list[Json] = []
        looks: list[Json] = []
        agent = agent_of(ground, 0)
        tools = bool(ground.server.about.tools)
        for looking in (False, False, True):
            async with ground.session() as session:
                looks.append(looking)
                seen = listings if looking else None
                done = await _episode(ground, session, agent, seen, tools=tools)
            if not looks[1:]:
                agent = Walk(done)
        return {"looks": looks, "listings": listings}


async def _episode(
    ground: Ground,
    session: Session,
    agent: Agent | None,
    listings: list[Json] | None,
    *,
    tools: bool,
) -> list[Json]:
    """Return the actions that were taken."""

    async def look() -> None:
        if listings is None:
            return
        await session.state()
        if tools:
            listings.append(await _names(session))

    await look()
    first = await begin(session, ground.starts[0])
    if first is None or agent is None:
        return []
    await look()
    turns = Turns(session=session, agent=agent, seen=first)
    for _ in range(STEPS):
        if await turns.take() is None:
            break
        await look()
    return turns.actions


async def _names(session: Session) -> Json:
    """Return the names listed, in order; None where there is no listing."""
    reading = await session.mcp(LIST_TOOLS)
    tools = read_tools(reading.body) if isinstance(reading, McpRead) else None
    return None if tools is None else [tool.name[:200] for tool in tools[:MOST_NAMES]]
