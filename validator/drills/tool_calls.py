"""Calls each tool twice within an episode, and reads which episode it is then."""

from collections.abc import Mapping
from typing import ClassVar

from validator.client.faults import SessionFault
from validator.client.frames import Json
from validator.client.reading import StateRead
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.calls import call, tools_of
from validator.drills.playing import begin
from validator.targets.base import Tool

MOST_TOOLS = 16
CALLS = 2


class ToolCalls:
    """One session a tool."""

    name: ClassVar[str] = "tool_calls"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return for each tool the states before the first call and after each."""
        called: list[Json] = []
        for tool in tools_of(ground, MOST_TOOLS):
            try:
                async with ground.session() as session:
                    states = await _call(ground, session, tool)
            except SessionFault:
                continue
            called.append({"tool": tool.name[:200], "action": call(tool, {}), "states": states})
        return {"called": called}


async def _call(ground: Ground, session: Session, tool: Tool) -> list[Json]:
    if await begin(session, ground.starts[0], episode_id="envassay-tools") is None:
        return []
    states = [await _state(session)]
    for _ in range(CALLS):
        await session.step(call(tool, {}))
        states.append(await _state(session))
    return [*states]


async def _state(session: Session) -> dict[str, Json]:
    """Return id and step count where they are a text and an integer."""
    reading = await session.state()
    state = reading.state if isinstance(reading, StateRead) else None
    if not isinstance(state, dict):
        return {}
    name, count = state.get("episode_id"), state.get("step_count")
    found: dict[str, Json] = {}
    if isinstance(name, str):
        found["episode_id"] = name[:80]
    if isinstance(count, int) and not isinstance(count, bool):
        found["step_count"] = count
    return found
