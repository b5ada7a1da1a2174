"""A proxy that delays, drops, corrupts, closes and refuses what goes between client and server."""

import asyncio
import random
from collections import Counter
from contextlib import suppress
from typing import Literal, Self

Fault = Literal["delay", "drop", "corrupt", "close", "refuse"]
KINDS: tuple[Fault, ...] = ("delay", "drop", "corrupt", "close", "refuse")
SLOW_SECONDS = 0.02
LATEST = 12
"""Chunks of a connection before which its fault comes."""


class Chaos:
    """Listens on a free port of the loopback and passes on to another; faults by the seed.

    A connection over which the upgrade to a WebSocket goes has a fault with the given chance:
    refused with 503 at once, or after some chunks from the server one that is late, half a
    chunk and a reset, a chunk with wrong bytes, or a reset between two chunks.
    """

    def __init__(self, port: int, *, chance: float, seed: int) -> None:
        self._port = port
        self._chance = chance
        self._random = random.Random(seed)
        self._tasks: set[asyncio.Task[None]] = set()
        self.faults = Counter[Fault]()
        """Faults that were carried out."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._pass_on(reader, writer)
        except asyncio.CancelledError:
            pass
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        kind: Fault | None = None
        if b"upgrade: websocket" in asked.lower() and self._random.random() < self._chance:
            kind = self._random.choice(KINDS)
        if kind == "refuse":
            self.faults[kind] += 1
            writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return
        behind, onward = await asyncio.open_connection("127.0.0.1", self._port)
        onward.write(asked)
        up = asyncio.create_task(_copy(reader, onward))
        try:
            await self._answer(behind, writer, kind, self._random.randrange(1, LATEST))
        finally:
            up.cancel()
            onward.transport.abort()

    async def _answer(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        kind: Fault | None,
        place: int,
    ) -> None:
        number = 0
        while chunk := await reader.read(2**16):
            if kind is not None and number == place:
                self.faults[kind] += 1
                match kind:
                    case "delay":
                        await asyncio.sleep(SLOW_SECONDS)
                    case "drop":
                        writer.write(chunk[: len(chunk) // 2])
                        return
                    case "close":
                        return
                    case "corrupt":
                        chunk = chunk[:2] + bytes(byte ^ 0x80 for byte in chunk[2:])
            number += 1
            writer.write(chunk)
            await writer.drain()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(2**16):
            writer.write(chunk)
            await writer.drain()
