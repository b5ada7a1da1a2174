"""A tool-call environment over MCP: connect callers as they ask, then finish. Healthy.

Three of four lines ask for an extension. Nothing is paid on the way; at the end, the share of the
three that are connected as they asked. The episode ends with `finish`, or after 12 calls.
"""

import random
from typing import Any, Literal
from uuid import uuid4

from fastmcp import FastMCP
from openenv.core.env_server import (
    Action,
    CallToolAction,
    CallToolObservation,
    MCPEnvironment,
    Observation,
    State,
    create_app,
)
from pydantic import Field

Line = Literal["1", "2", "3", "4"]
Extension = Literal["sales", "repairs", "billing"]

LINES = ("1", "2", "3", "4")
EXTENSIONS = ("sales", "repairs", "billing")
CALLS = 12


class Request(Observation):
    """What a new episode begins with."""

    request: str = Field(description="Which line asks for which extension")


class Switchboard(MCPEnvironment):
    """The seed of reset chooses who calls and what they ask for."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        mcp = FastMCP("switchboard")
        mcp.tool(self.connect)
        mcp.tool(self.hang_up)
        mcp.tool(self.show)
        mcp.tool(self.finish)
        super().__init__(mcp)
        self._state = State()
        self._asked: dict[str, str] = {}
        self._connected: dict[str, str] = {}
        self._over = True

    # The four tools. Their signatures become the input schemas that agents see.

    def connect(self, line: Line, extension: Extension) -> str:
        """Connect a line to an extension, in place of what it was connected to."""
        self._connected[line] = extension
        return f"line {line} is connected to {extension}"

    def hang_up(self, line: Line) -> str:
        """Disconnect a line."""
        self._connected.pop(line, None)
        return f"line {line} is free"

    def show(self) -> dict[str, str]:
        """Show which lines are connected to what."""
        return dict(sorted(self._connected.items()))

    def finish(self) -> str:
        """Say that you are done, which ends the episode."""
        self._over = True
        return "thank you"

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Request:
        """Let three lines ring."""
        draw = random.Random(seed)
        self._asked = {line: draw.choice(EXTENSIONS) for line in sorted(draw.sample(LINES, 3))}
        self._connected = {}
        self._over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        wishes = ", ".join(f"line {line} asks for {what}" for line, what in self._asked.items())
        return Request(request=f"Connect the callers, then finish: {wishes}.")

    async def step_async(
        self, action: Action, timeout_s: float | None = None, **kwargs: Any
    ) -> Observation:
        """Call a tool; listing the tools is free and changes nothing."""
        if not isinstance(action, CallToolAction):
            return await super().step_async(action, timeout_s=timeout_s, **kwargs)
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        observation = await super().step_async(action, timeout_s=timeout_s, **kwargs)
        self._state.step_count += 1
        if self._over or self._state.step_count == CALLS:
            observation.metadata = {"truncated": not self._over}
            observation.done = self._over = True
            observation.reward = self._share_met()
        return observation

    @property
    def state(self) -> State:
        """What the operator sees."""
        return self._state

    def _step_impl(
        self, action: Action, timeout_s: float | None = None, **kwargs: Any
    ) -> Observation:
        raise ValueError("the only actions are list_tools and call_tool")

    def _share_met(self) -> float:
        met = sum(self._connected.get(line) == wish for line, wish in self._asked.items())
        return met / len(self._asked)


app = create_app(
    Switchboard,
    CallToolAction,
    CallToolObservation,
    env_name="switchboard",
    max_concurrent_envs=32,
    reset_observation_cls=Request,
)
