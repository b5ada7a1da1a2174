"""A target in this process: worlds behind the real session, for everything above the wire."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from validator.client.faults import Closed, Refused
from validator.client.frames import Json
from validator.client.limits import Limits
from validator.client.session import Session
from validator.targets.base import About


class World(Protocol):
    """One session's environment, as plain values."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]: ...

    def step(self, action: Any) -> dict[str, Any]: ...


def observation(value: Any, *, reward: Any = 0.0, done: bool = False) -> dict[str, Any]:
    """Return the data of an observation frame."""
    return {"observation": value, "reward": reward, "done": done}


ACTION: Json = {"type": "object", "properties": {"move": {"enum": [0, 1, 2]}}, "required": ["move"]}


@dataclass
class MemoryTarget:
    """Serves `world()` per session, at most `capacity` at once; notes what happens."""

    world: Callable[[], World]
    capacity: int = 8
    late: float = 0.0
    """Seconds after a close until its slot is free."""
    die_after: int | None = None
    """Frames after which every wire drops."""
    open: Any = None
    sessions_now: int = 0
    most_sessions: int = 0
    frames: int = 0
    about: About = field(
        default_factory=lambda: About(
            url="http://memory:1", driver="memory", name="memory", action_schema=ACTION
        )
    )

    def __post_init__(self) -> None:
        self.open = self._open

    @asynccontextmanager
    async def _open(self, limits: Limits) -> AsyncIterator["MemoryTarget"]:
        self.limits = limits
        yield self

    async def session(self) -> Session:
        await asyncio.sleep(0)
        return Session(_Wire(self), Limits())


class _Wire:
    def __init__(self, target: MemoryTarget) -> None:
        self._target = target
        self._world: World | None = None
        self._closed = False

    async def exchange(self, text: str, *, seconds: float, operation: str) -> str:
        target = self._target
        await asyncio.sleep(0)
        target.frames += 1
        if target.die_after is not None and target.frames > target.die_after:
            raise Closed("the connection dropped", operation=operation)
        if self._world is None:
            if target.sessions_now >= target.capacity:
                raise Refused("full", operation=operation, capacity=target.capacity)
            self._world = target.world()
            target.sessions_now += 1
            target.most_sessions = max(target.most_sessions, target.sessions_now)
        message = json.loads(text)
        try:
            if message["type"] == "state":
                state = getattr(self._world, "state", dict)()
                return json.dumps({"type": "state", "data": state})
            if message["type"] == "reset":
                data = self._world.reset(message["data"])
            else:
                data = self._world.step(message["data"])
        except ValueError as fault:
            return json.dumps({"type": "error", "data": {"code": "EXEC", "message": str(fault)}})
        return json.dumps({"type": "observation", "data": data})

    async def close(self) -> None:
        if not self._closed and self._world is not None:
            asyncio.get_running_loop().call_later(self._target.late, self._free)
        self._closed = True

    async def drop(self) -> None:
        await self.close()

    def _free(self) -> None:
        self._target.sessions_now -= 1


class Guess:
    """Guess the move that the seed chose; three tries, one point for a hit."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._secret = (data.get("seed", 0) * 7 + 1) % 3
        self._tries = 0
        return observation({"tries": 0})

    def step(self, action: Any) -> dict[str, Any]:
        self._tries += 1
        hit = action["move"] == self._secret
        return observation({"tries": self._tries}, reward=float(hit), done=hit or self._tries == 3)
