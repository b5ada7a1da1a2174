"""A served address: the target a user names by its URL."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import MappingProxyType

from validator.client.address import checked_headers, read_address
from validator.client.discovery import Found, discover
from validator.client.limits import Limits
from validator.client.session import Session
from validator.client.way import Way
from validator.client.websocket import open_wire
from validator.targets.base import About

NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class UrlTarget:
    """An environment served at a URL."""

    def __init__(
        self, url: str, *, headers: Mapping[str, str] = NO_HEADERS, proxy: str | None = None
    ) -> None:
        self._address = read_address(url)
        self._headers = {"User-Agent": "envassay", **checked_headers(headers)}
        self._proxy = proxy

    def open(self, limits: Limits) -> AbstractAsyncContextManager["UrlServer"]:
        """Reach the server and read what it says of itself; its sessions end with the block."""
        way = Way(address=self._address, limits=limits, headers=self._headers, proxy=self._proxy)
        return _open(way)


class UrlServer:
    """A reached server."""

    def __init__(self, found: Found) -> None:
        self._way = found.way
        self._about = found.about
        self._first = found.wire
        self._wires = [] if found.wire is None else [found.wire]

    @property
    def about(self) -> About:
        return self._about

    async def session(self) -> Session:
        """Open a session; the first one takes the connection that discovery had opened.

        Raises:
            SessionFault: it could not be opened.
        """
        wire, self._first = self._first, None
        if wire is None:
            wire = await open_wire(self._way, operation="open")
            self._wires = [*(open for open in self._wires if not open.closed), wire]
        return Session(wire, self._way.limits)

    async def close(self) -> None:
        """End the sessions that are still open."""
        await asyncio.gather(*(wire.close() for wire in self._wires))


@asynccontextmanager
async def _open(way: Way) -> AsyncIterator[UrlServer]:
    server = UrlServer(await discover(way))
    try:
        yield server
    finally:
        await server.close()
