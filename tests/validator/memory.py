"""A target in this process: worlds behind the real session, for everything above the wire."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import jsonschema

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
OBSERVATION: Json = {
    "type": "object",
    "properties": {"tries": {"type": "integer"}, "reward": {}, "done": {"type": "boolean"}},
    "required": ["tries"],
}


@dataclass
class MemoryTarget:
    """Serves `world()` per session, at most `capacity` at once; notes what happens."""

    world: Callable[[], World]
    capacity: int = 8
    late: float = 0.0
    """Seconds after a close until its slot is free."""
    die_after: int | None = None
    """Frames after which every wire drops."""
    checks_actions: bool = True
    """Actions that the schema forbids get an error, as from the stock server."""
    keeps_dropped: bool = False
    """Sessions that were cut off keep their slot."""
    open: Any = None
    sessions_now: int = 0
    most_sessions: int = 0
    frames: int = 0
    about: About = field(
        default_factory=lambda: About(
            url="http://memory.localhost:1",
            driver="memory",
            name="memory",
            action_schema=ACTION,
            observation_schema=OBSERVATION,
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
    """Answers as the stock server does: what is malformed or fails gets an error frame."""

    def __init__(self, target: MemoryTarget) -> None:
        self._target = target
        self._world: World | None = None
        self._closed = False
        self._state: dict[str, Any] = {"episode_id": None, "step_count": 0}

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
        try:
            kind, data = self._answer(self._world, json.loads(text))
        except SystemExit:
            raise Closed("the session has ended", operation=operation, code=1000) from None
        except Exception as fault:
            kind, data = "error", {"code": "EXECUTION_ERROR", "message": str(fault)}
        return json.dumps({"type": kind, "data": data})

    def _answer(self, world: World, message: dict[str, Any]) -> tuple[str, Any]:
        match message:
            case {"type": "reset", "data": dict(data)}:
                found = world.reset(data)
                self._state = {
                    "episode_id": data.get("episode_id") or str(uuid.uuid4()),
                    "step_count": 0,
                }
                return "observation", found
            case {"type": "step", "data": dict(action)}:
                schema: Any = self._target.about.action_schema
                if not self._target.checks_actions or jsonschema.Draft202012Validator(
                    schema
                ).is_valid(action):
                    found = world.step(action)
                    self._state["step_count"] += 1
                    return "observation", found
                return "error", {"code": "VALIDATION_ERROR", "message": "Invalid message"}
            case {"type": "state"}:
                return "state", self._state | getattr(world, "state", dict)()
            case {"type": "mcp", "data": dict(request)}:
                listed = getattr(world, "mcp", None)
                refusal = {"error": {"code": -32603, "message": "no tools here"}}
                return "mcp", refusal if listed is None else listed(request)
            case {"type": "reset" | "step" | "mcp"}:
                return "error", {"code": "VALIDATION_ERROR", "message": "Invalid message"}
        return "error", {"code": "UNKNOWN_TYPE", "message": "Unknown message type"}

    async def close(self) -> None:
        if not self._closed and self._world is not None:
            asyncio.get_running_loop().call_later(self._target.late, self._free)
        self._closed = True

    async def drop(self) -> None:
        if self._target.keeps_dropped:
            self._closed = True
        await self.close()

    def _free(self) -> None:
        self._target.sessions_now -= 1


class Guess:
    """Guess the move that the seed chose; three tries, one point for a hit, none after the end."""

    _ended = False

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._ended = False
        self._secret = (data.get("seed", 0) * 7 + 1) % 3
        self._tries = 0
        return observation({"tries": 0})

    def step(self, action: Any) -> dict[str, Any]:
        self._tries += 1
        hit = action["move"] == self._secret
        paid = float(hit and not self._ended)
        self._ended = self._ended or hit or self._tries == 3
        return observation({"tries": self._tries}, reward=paid, done=self._ended)
