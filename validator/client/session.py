"""Reset, step, state, close on a wire, keeping every raw frame."""

import time
from collections.abc import Coroutine, Mapping
from typing import Any

from validator.client.frames import Frame, Json, cut, size, written
from validator.client.limits import Limits
from validator.client.reading import Reading, read
from validator.client.wire import Wire


class Session:
    """One episode lane. Knows frames, not sockets.

    Every answer is read whole; the frames that are kept are bounded by `limits`. What was sent
    is kept whole: it is ours, and replays need it.
    """

    def __init__(self, wire: Wire, limits: Limits) -> None:
        self._wire = wire
        self._limits = limits
        self._opened = time.perf_counter()
        self._frames: list[Frame] = []
        self._room = limits.kept_episode_bytes

    async def reset(self, *, seed: int | None, options: Mapping[str, Json]) -> Reading:
        """Start an episode. `options` are extra reset arguments, such as the task."""
        data: dict[str, Json] = dict(options)
        if seed is not None:
            data["seed"] = seed
        sent = written({"type": "reset", "data": data})
        return await self._exchange(sent, self._limits.reset_seconds, "reset")

    def step(self, action: Json) -> Coroutine[Any, Any, Reading]:
        sent = written({"type": "step", "data": action})
        return self._exchange(sent, self._limits.step_seconds, "step")

    async def state(self) -> Reading:
        sent = written({"type": "state"})
        return await self._exchange(sent, self._limits.step_seconds, "state")

    async def mcp(self, request: Mapping[str, Json]) -> Reading:
        """Send one JSON-RPC request on the session's own lane."""
        sent = written({"type": "mcp", "data": dict(request)})
        return await self._exchange(sent, self._limits.step_seconds, "mcp")

    def take_frames(self) -> tuple[Frame, ...]:
        """Return the frames kept since the last call, and let go of them."""
        frames, self._frames = self._frames, []
        self._room = self._limits.kept_episode_bytes
        return tuple(frames)

    async def close(self) -> None:
        await self._wire.close()

    async def drop(self) -> None:
        """Leave as a crash would: without a farewell."""
        await self._wire.drop()

    async def say(self, message: Json) -> Reading:
        """Send a message of any form, be it none of the protocol, and read the answer."""
        return await self._exchange(written(message), self._limits.step_seconds, "message")

    async def _exchange(self, sent: str, seconds: float, operation: str) -> Reading:
        clock, frames = time.perf_counter, self._frames
        frames.append(Frame("sent", sent, clock() - self._opened))
        self._room -= len(sent)  # JSON as we write it is ASCII
        received = await self._wire.exchange(sent, seconds=seconds, operation=operation)
        most = min(self._room, self._limits.kept_frame_bytes)
        length = size(received)
        kept = received if length <= most else cut(received, most)
        self._room -= min(length, len(kept))
        frames.append(Frame("received", kept, clock() - self._opened))
        return read(received)
