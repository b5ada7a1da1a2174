"""A road with potholes: passes TCP on, each piece of it late by a random time.

    python -m tests.servers.jitter http://127.0.0.1:8000

prints an address that leads to that server, and serves until it is ended.
"""

import asyncio
import random
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

LEAST, MOST = 0.02, 0.2
"""Seconds that a piece is late, both ways together."""
PIECE = 2**16


@contextmanager
def jittery(url: str, *, least: float = LEAST, most: float = MOST, seed: int = 0) -> Iterator[str]:
    """Give an address that leads to a server by such a road."""
    started = threading.Event()
    told: dict[str, str] = {}
    loop = asyncio.new_event_loop()
    road = _Road(url, least / 2, most / 2, random.Random(seed))

    async def serve() -> None:
        server = await asyncio.start_server(road.carry, "127.0.0.1", 0)
        told["url"] = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        started.set()
        async with server:
            await road.over.wait()
        for task in road.tasks:
            task.cancel()
        await asyncio.gather(*road.tasks, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    started.wait()
    try:
        yield told["url"]
    finally:
        loop.call_soon_threadsafe(road.over.set)
        thread.join()
        loop.close()


class _Road:
    def __init__(self, url: str, least: float, most: float, draw: random.Random) -> None:
        address = urlsplit(url)
        self._to = (address.hostname, address.port)
        self._late = (least, most)
        self._draw = draw
        self.over = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()

    async def carry(self, near: asyncio.StreamReader, home: asyncio.StreamWriter) -> None:
        """Pass one connection on, both ways, until both ends have said all."""
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        try:
            far, there = await asyncio.open_connection(*self._to)
            try:
                await asyncio.gather(self._one_way(near, there), self._one_way(far, home))
            finally:
                there.close()
        except OSError:
            pass
        finally:
            home.close()
            self.tasks.discard(task)

    async def _one_way(self, read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await read.read(PIECE):
                await asyncio.sleep(self._draw.uniform(*self._late))
                write.write(piece)
                await write.drain()
        with suppress(OSError):
            write.write_eof()


def main() -> None:
    """Serve the road to the address that is named."""
    with jittery(sys.argv[1]) as url:
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
