"""A wire over a WebSocket: limits, keep-alive, proxy, headers."""

import asyncio
import json
import logging
import math
import ssl
from collections.abc import Callable

from websockets.asyncio.client import connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidProxyStatus,
    InvalidStatus,
    WebSocketException,
)
from websockets.frames import CloseCode
from websockets.protocol import State

from validator.client.address import follow, proxy_for, shown
from validator.client.connection import Connection
from validator.client.faults import (
    Closed,
    Elsewhere,
    Oversize,
    Refused,
    SessionFault,
    Timeout,
    Transport,
)
from validator.client.reading import ErrorRead, read
from validator.client.tls import trusting
from validator.client.way import Way

CLOSING_SECONDS = 2.0
"""Patience with the other end when a connection is closed; then it is dropped."""
RETRY_SECONDS = 0.25
"""Pause before set-up is tried a second time; it doubles with each further try."""
MOST_REDIRECTS = 3
NOT_GRANTED = frozenset({"CAPACITY_REACHED", "FACTORY_ERROR", "SESSION_ERROR"})
"""Codes of error frames that stand in the place of the first answer of a session not granted."""
GATEWAY = frozenset({500, 502, 504})
"""Statuses of a proxy or a server in trouble: worth another try, and no word on sessions."""

_LOG = logging.getLogger("validator.client.websocket")
_LOG.addHandler(logging.NullHandler())


class WebSocketWire:
    """One connection. Frames carry no ids, so a wire that missed an answer is never used again."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._asked = 0
        self._spent = ""
        """Why nothing more can be asked; empty while all is well."""
        self._patience = _Patience(connection.loop, connection.transport.abort)

    async def exchange(self, text: str, *, seconds: float, operation: str) -> str:
        """Send `text` and return the one frame that answers it."""
        connection = self._connection
        if self._spent:
            raise Closed(self._spent, operation=operation)
        unasked = connection.arrived > self._asked
        if unasked and self._asked:
            raise self._end(Transport(_UNASKED, operation=operation))
        self._asked += 1
        self._spent = "the connection was given up: an earlier request has no answer"
        self._patience.begin(seconds)
        answer: str | bytes = b""
        try:
            told = None if unasked else await connection.ask(text)
            answer = await self._answer(text, unasked) if told is None else told
        except ConnectionClosed as fault:
            if not self._patience.ran_out:
                raise self._end(_closed(fault, operation, connection.most)) from fault
        except (WebSocketException, OSError) as fault:
            raise self._end(Transport(_told(fault), operation=operation)) from fault
        finally:
            self._patience.end()
        if self._patience.ran_out:
            raise self._end(Timeout(f"no answer in {seconds:g} s", operation=operation))
        if not isinstance(answer, str):
            raise self._end(
                Transport(f"a binary frame of {len(answer)} bytes came", operation=operation)
            )
        if self._asked == 1:
            self._check_first(answer, unasked, operation)
        self._spent = ""
        return answer

    @property
    def closed(self) -> bool:
        return self._connection.state is State.CLOSED

    async def close(self) -> None:
        """End the connection; never raises, and never waits long.

        Where an answer is outstanding the other end would not hear a farewell: it is dropped.
        """
        self._spent = self._spent or "the session was closed"
        self._patience.cancel()
        try:
            if self._connection.arrived >= self._asked:
                await self._connection.close()
        except (WebSocketException, OSError) as fault:
            _LOG.debug("closing: %s", _told(fault))
        finally:
            self._connection.transport.abort()
        await self._connection.wait_closed()

    async def drop(self) -> None:
        """Cut the connection without a farewell, as a crash would."""
        self._spent = self._spent or "the connection was cut"
        self._patience.cancel()
        self._connection.transport.abort()

    async def _answer(self, text: str, unsent: bool) -> str | bytes:
        """Receive the library's way; a refusal, and the end with it, may have come unasked."""
        try:
            if unsent:
                await self._connection.send(text)
        except ConnectionClosed:
            if not self._connection.arrived:
                raise
        return await self._connection.recv()

    def _check_first(self, answer: str, unasked: bool, operation: str) -> None:
        """Tell a refusal, or a greeting, from the first answer.

        Openenv servers accept the connection and only then look for room: an error frame takes
        the place of the first answer. It is read as a refusal only there.
        """
        reading = read(answer) if '"error"' in answer else None
        if isinstance(reading, ErrorRead) and reading.code in NOT_GRANTED:
            why = f"no session granted ({shown(reading.code, 40)}: {shown(reading.message)})"
            raise self._end(Refused(why, operation=operation, capacity=_capacity(answer)))
        if unasked:
            raise self._end(Transport(_UNASKED, operation=operation))

    def _end(self, fault: SessionFault) -> SessionFault:
        self._spent = f"the connection ended earlier: {fault.why}"
        return fault


async def open_wire(way: Way, *, operation: str = "open") -> WebSocketWire:
    """Connect, retrying set-up only.

    Raises:
        Refused: the server, or what stands before it, answered the upgrade with a status.
        Timeout: no connection within the limit, after the retries.
        Transport: the network failed, or the server leads to another host.
    """
    pause = RETRY_SECONDS
    for _ in range(way.limits.connect_retries):
        try:
            return await _try(way, operation)
        except _Passing:
            await asyncio.sleep(pause)
            pause *= 2
    try:
        return await _try(way, operation)
    except _Passing as passing:
        raise passing.fault from passing.__cause__


class _Passing(Exception):
    """A fault of set-up that may be gone at the next try."""

    def __init__(self, fault: SessionFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class _Patience:
    """Calls `give_up` when a wait lasts too long.

    One timer serves all waits of a connection: it is moved only to an earlier moment, and
    otherwise looks again when it fires. A timer for each wait would cost more than the wait.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, give_up: Callable[[], None]) -> None:
        self._loop = loop
        self._give_up = give_up
        self._deadline = math.inf
        self._timer: asyncio.TimerHandle | None = None
        self.ran_out = False

    def begin(self, seconds: float) -> None:
        self._deadline = self._loop.time() + seconds
        if self._timer is None or self._deadline < self._timer.when():
            self.cancel()
            self._timer = self._loop.call_at(self._deadline, self._look)

    def end(self) -> None:
        self._deadline = math.inf

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._deadline == math.inf:
            return
        if self._loop.time() < self._deadline:
            self._timer = self._loop.call_at(self._deadline, self._look)
            return
        self.ran_out = True
        self._give_up()


class _Connect(connect):
    """A connection attempt that leaves redirects to us."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


async def _try(way: Way, operation: str) -> WebSocketWire:
    uri = way.address.websocket
    limit = way.limits.connect_seconds
    try:
        async with asyncio.timeout(limit):
            for _ in range(MOST_REDIRECTS + 1):
                try:
                    return WebSocketWire(await _connect(way, uri))
                except InvalidStatus as fault:
                    uri = _redirected(uri, fault, operation)
        raise Transport(f"more than {MOST_REDIRECTS} redirects", operation=operation)
    except TimeoutError as fault:
        raise _Passing(Timeout(f"no connection in {limit:g} s", operation=operation)) from fault
    except ssl.SSLError as fault:
        raise Transport(_told(fault), operation=operation) from fault
    except (OSError, InvalidMessage) as fault:
        raise _Passing(Transport(_told(fault), operation=operation)) from fault
    except InvalidProxyStatus as fault:
        status = fault.response.status_code
        raise Transport(f"the proxy answered with HTTP {status}", operation=operation) from fault
    except (WebSocketException, ValueError, ImportError) as fault:
        raise Transport(_told(fault), operation=operation) from fault


async def _connect(way: Way, uri: str) -> Connection:
    limits = way.limits
    connection = await _Connect(
        uri,
        additional_headers=dict(way.headers),
        proxy=proxy_for(way.address, way.proxy),
        compression=None,
        open_timeout=None,
        close_timeout=CLOSING_SECONDS,
        ping_interval=limits.ping_seconds,
        ping_timeout=None,
        max_size=limits.frame_bytes,
        logger=_LOG,
        create_connection=Connection,
        ssl=trusting() if uri.startswith("wss:") else None,
    )
    assert isinstance(connection, Connection)
    connection.most = limits.frame_bytes
    return connection


def _redirected(uri: str, fault: InvalidStatus, operation: str) -> str:
    """Return where a refused upgrade leads us on to.

    Raises:
        Refused, Transport, _Passing: nowhere we go.
    """
    status = fault.response.status_code
    location = fault.response.headers.get("Location")
    if status in (301, 302, 303, 307, 308) and location is not None:
        target = follow(uri, location)
        if target is None:
            why = f"the upgrade is redirected to {shown(location, 100)}: not followed"
            raise Elsewhere(why, operation=operation) from fault
        scheme, _, rest = target.partition("://")
        return f"{ {'http': 'ws', 'https': 'wss'}.get(scheme, scheme) }://{rest}"
    why = f"the upgrade was answered with HTTP {status}"
    if status in GATEWAY:
        raise _Passing(Transport(why, operation=operation)) from fault
    raise Refused(why, operation=operation, status=status) from fault


def _closed(fault: ConnectionClosed, operation: str, most: int) -> SessionFault:
    """Say how a connection ended: by whom, and with which code."""
    theirs, ours = fault.rcvd, fault.sent
    if theirs is None and ours is not None and ours.code == CloseCode.MESSAGE_TOO_BIG:
        return Oversize(f"a frame larger than the limit of {most} bytes", operation=operation)
    if theirs is None and ours is not None:
        return Transport(f"unreadable frames ({shown(ours.reason, 100)})", operation=operation)
    if theirs is None:
        return Closed("the connection was dropped without a close frame", operation=operation)
    reason = f": {shown(theirs.reason, 100)}" if theirs.reason else ""
    return Closed(
        f"the server closed the connection (code {theirs.code}{reason})",
        operation=operation,
        code=theirs.code,
    )


def _capacity(answer: str) -> int | None:
    try:
        most = json.loads(answer)["data"]["max_sessions"]
    except (ValueError, KeyError, TypeError):
        return None
    return most if isinstance(most, int) and not isinstance(most, bool) else None


def _told(fault: Exception) -> str:
    """Return a library's exception as one short line."""
    name, text = type(fault).__name__, shown(str(fault).strip())
    if text and isinstance(fault, InvalidHandshake | OSError):
        return text
    return f"{name}: {text}" if text else name


_UNASKED = "a frame came that nobody had asked for, so answers can no longer be told apart"
