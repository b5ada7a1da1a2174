"""A server with every fault a stranger may have, each under a path of its own.

It is written against the bytes of HTTP and WebSocket, without a library, so that it can send
what no library would. `http://127.0.0.1:PORT/hang-on-step` is the base address of an environment
that never answers a step; `FAULTS` lists them all. Used as a proxy it takes itself for every host.
"""

import asyncio
import base64
import gzip
import hashlib
import json
import re
import socket
import ssl
import struct
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
HANDSHAKE = b"\x16"
"""First byte of a TLS connection."""
MEBIBYTE = 2**20
TOKEN = "Bearer hf_secret"

SCHEMA = {
    "action": {"type": "object", "properties": {"move": {"enum": [0, 1]}}, "required": ["move"]},
    "observation": {"type": "object", "properties": {"place": {"type": "integer"}}},
    "state": {"type": "object"},
}
PAGES: dict[str, Any] = {
    "/health": {"status": "healthy"},
    "/schema": SCHEMA,
    "/metadata": {"name": "Stranger", "description": "An environment.", "version": "1.0.0"},
    "/openapi.json": {"openapi": "3.1.0", "paths": {"/reset": {}, "/step": {}, "/schema": {}}},
}
STATEFUL = {"openapi": "3.1.0", "paths": {"/reset": {}, "/step": {}, "/state": {}, "/health": {}}}


@dataclass
class Request:
    """One HTTP request as read."""

    method: str
    fault: str
    """The first part of the path: which fault was asked for."""
    route: str
    """The rest of it."""
    headers: dict[str, str]


@dataclass
class Lane:
    """One connection, after or without an upgrade."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    seen: list[str] = field(default_factory=list)

    async def send(self, value: Any, *, opcode: int = TEXT, final: bool = True) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        head = bytes([(0x80 if final else 0) | opcode])
        if len(body) < 126:
            head += bytes([len(body)])
        elif len(body) < 2**16:
            head += bytes([126]) + struct.pack("!H", len(body))
        else:
            head += bytes([127]) + struct.pack("!Q", len(body))
        self.writer.write(head + body)
        await self.writer.drain()

    async def receive(self) -> dict[str, Any] | None:
        """Return the next message, None where the other end closes."""
        while True:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", await self.reader.readexactly(8))
            mask = await self.reader.readexactly(4)
            masked = await self.reader.readexactly(length)
            body = bytes(byte ^ mask[place % 4] for place, byte in enumerate(masked))
            if first & 0xF == CLOSE:
                await self.send(body[:2], opcode=CLOSE)
                return None
            if first & 0xF == PING:
                await self.send(body, opcode=PONG)
            elif first & 0xF == TEXT:
                self.seen.append(body.decode())
                message: dict[str, Any] = json.loads(body)
                return message

    async def close(self, code: int, reason: str = "") -> None:
        await self.send(struct.pack("!H", code) + reason.encode(), opcode=CLOSE)

    def drop(self) -> None:
        self.writer.transport.abort()

    async def http(self, status: int, body: bytes = b"", **headers: str) -> None:
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await self.writer.drain()

    async def json(self, value: Any) -> None:
        await self.http(200, json.dumps(value).encode(), content_type="application/json")


def observed(step: int, **changed: Any) -> dict[str, Any]:
    data = {"observation": {"place": step}, "reward": float(step), "done": False} | changed
    return {"type": "observation", "data": data}


Answer = Callable[[Lane, dict[str, Any], int], Awaitable[None]]
"""Answers one message; the number is 0 for a reset and counts the steps since."""


async def well(lane: Lane, message: dict[str, Any], step: int) -> None:
    if message["type"] == "state":
        await lane.send({"type": "state", "data": {"step_count": step}})
    else:
        await lane.send(observed(step, done=step >= 3))


def at_step(number: int, fault: Answer) -> Answer:
    """Behave well until a step, and then not."""

    async def answer(lane: Lane, message: dict[str, Any], step: int) -> None:
        await (fault if step >= number else well)(lane, message, step)

    return answer


def says(value: Any, *, opcode: int = TEXT) -> Answer:
    async def answer(lane: Lane, message: dict[str, Any], step: int) -> None:
        await lane.send(value, opcode=opcode)

    return answer


async def silence(lane: Lane, message: dict[str, Any], step: int) -> None:
    await asyncio.Event().wait()


async def close_normally(lane: Lane, message: dict[str, Any], step: int) -> None:
    await lane.close(1000)


async def close_in_trouble(lane: Lane, message: dict[str, Any], step: int) -> None:
    await lane.close(1011, "the world \x1b[31mended")


async def drop(lane: Lane, message: dict[str, Any], step: int) -> None:
    lane.drop()


async def huge(lane: Lane, message: dict[str, Any], step: int) -> None:
    await lane.send(observed(step, observation="x" * 3 * MEBIBYTE))


async def fragments(lane: Lane, message: dict[str, Any], step: int) -> None:
    await lane.send(b'"', final=False)
    for _ in range(64):
        await lane.send(b"x" * (MEBIBYTE // 16), opcode=0, final=False)


async def endless(lane: Lane, message: dict[str, Any], step: int) -> None:
    await lane.send(observed(step, reward=1.0))


async def twice(lane: Lane, message: dict[str, Any], step: int) -> None:
    await lane.send(observed(step))
    await lane.send(observed(step, reward=999.0))


async def late(lane: Lane, message: dict[str, Any], step: int) -> None:
    """Answer the first step only when something else is asked, then that as well."""
    await lane.receive()
    await lane.send(observed(step, reward=999.0))
    await lane.send(observed(step))


async def bad_utf8(lane: Lane, message: dict[str, Any], step: int) -> None:
    await lane.send(b'{"type": "observation\xff"}')


async def bad_frame(lane: Lane, message: dict[str, Any], step: int) -> None:
    lane.writer.write(bytes([0xF1, 0x00]))
    await lane.writer.drain()


def refusing(code: str, **more: Any) -> Callable[[Lane], Awaitable[None]]:
    async def open_and_refuse(lane: Lane) -> None:
        data = {"message": "Server at capacity: 2/2 sessions active.", "code": code, **more}
        await lane.send({"type": "error", "data": data})
        await lane.close(1000)

    return open_and_refuse


async def greet(lane: Lane) -> None:
    await lane.send({"type": "hello", "data": {}})


NAN = b'{"type": "observation", "data": {"observation": {}, "reward": NaN, "done": false}}'
DEEP = b'{"type":"observation","data":{"observation":' + b"[" * 5000 + b"]" * 5000 + b"}}"

ANSWERS: dict[str, Answer] = {
    "well": well,
    "hang-on-reset": silence,
    "hang-on-step": at_step(1, silence),
    "close-on-reset": close_normally,
    "close-mid-episode": at_step(2, close_normally),
    "close-in-trouble": at_step(2, close_in_trouble),
    "drop": at_step(2, drop),
    "huge-frame": at_step(1, huge),
    "fragments": at_step(1, fragments),
    "invalid-json": at_step(1, says(b'{"type": "observation", ')),
    "no-object": at_step(1, says([1, 2])),
    "wrong-types": at_step(1, says(observed(1, observation=7, reward="1", done="yes"))),
    "no-data": at_step(1, says({"type": "observation"})),
    "nan": at_step(1, says(NAN)),
    "deep": at_step(1, says(DEEP)),
    "endless": endless,
    "twice": at_step(1, twice),
    "late": at_step(1, late),
    "binary": at_step(1, says(b"\x00\x01", opcode=BINARY)),
    "bad-utf8": at_step(1, bad_utf8),
    "bad-frame": at_step(1, bad_frame),
    "greeting": well,
    "full": well,
    "no-factory": well,
    "full-without-number": well,
    "looks-full-later": at_step(
        1, says({"type": "error", "data": {"code": "CAPACITY_REACHED", "message": "later"}})
    ),
}
"""What is said in sessions, by fault."""

GREETINGS: dict[str, Callable[[Lane], Awaitable[None]]] = {
    "greeting": greet,
    "full": refusing("CAPACITY_REACHED", active_sessions=2, max_sessions=2),
    "full-without-number": refusing("CAPACITY_REACHED", max_sessions="two"),
    "no-factory": refusing("FACTORY_ERROR", factory_name="make"),
}
"""What is said before anything was asked."""


async def page(lane: Lane, request: Request) -> None:
    await lane.http(200, b"<html><h1>Welcome</h1></html>", content_type="text/html; charset=utf-8")


async def drip(lane: Lane, request: Request) -> None:
    lane.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while not lane.writer.is_closing():
        lane.writer.write(b" ")
        await lane.writer.drain()
        await asyncio.sleep(0.01)


async def drip_head(lane: Lane, request: Request) -> None:
    lane.writer.write(b"HTTP/1.1 200 OK\r\n")
    while not lane.writer.is_closing():
        lane.writer.write(b"x-more: y\r\n")
        await lane.writer.drain()
        await asyncio.sleep(0.01)


async def huge_body(lane: Lane, request: Request) -> None:
    lane.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while not lane.writer.is_closing():
        lane.writer.write(b"x" * MEBIBYTE)
        await lane.writer.drain()


async def inflated(lane: Lane, request: Request) -> None:
    body = gzip.compress(b" " * 32 * MEBIBYTE)
    await lane.http(200, body, content_type="application/json", content_encoding="gzip")


async def hang(lane: Lane, request: Request) -> None:
    await asyncio.Event().wait()


async def hang_up(lane: Lane, request: Request) -> None:
    lane.drop()


async def stateful(lane: Lane, request: Request) -> None:
    if request.route == "/openapi.json":
        await lane.json(STATEFUL)
    elif request.route == "/health":
        await lane.json({"status": "healthy"})
    else:
        await lane.http(404)


async def gibberish(lane: Lane, request: Request) -> None:
    if request.route == "/health":
        await lane.json({"status": "healthy"})
    elif request.route == "/openapi.json":
        await lane.http(200, b"[" * 100_000, content_type="application/json")
    elif request.route == "/schema":
        await lane.http(200, b'{"action": \xff}', content_type="application/json")
    else:
        await lane.json([None, {"paths": 3}, "tools"])


async def slow_metadata(lane: Lane, request: Request) -> None:
    if request.route == "/metadata":
        await asyncio.Event().wait()
    await pages(lane, request)


async def only_healthy(lane: Lane, request: Request) -> None:
    if request.route != "/health":
        await asyncio.Event().wait()
    await pages(lane, request)


async def half_dead(lane: Lane, request: Request) -> None:
    """Keep the connection, then let it die unannounced, as uvicorn does after a fault."""
    if request.route != "/health":
        await pages(lane, request)
        return
    body = json.dumps(PAGES["/health"]).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    lane.writer.write(head.encode() + body)
    await lane.writer.drain()
    await lane.reader.read(1)
    lane.drop()


async def sick_health(lane: Lane, request: Request) -> None:
    if request.route == "/health":
        await lane.http(503)
    else:
        await pages(lane, request)


def status(code: int, **headers: str) -> Callable[[Lane, Request], Awaitable[None]]:
    async def answer(lane: Lane, request: Request) -> None:
        await lane.http(code, b"", **headers)

    return answer


async def pages(lane: Lane, request: Request) -> None:
    if request.route in PAGES and request.method == "GET":
        await lane.json(PAGES[request.route])
    else:
        await lane.http(404, b'{"detail": "Not Found"}', content_type="application/json")


async def round_trip(lane: Lane, request: Request) -> None:
    await lane.http(307, location=f"/round-trip{request.route}")


async def moved(lane: Lane, request: Request) -> None:
    await lane.http(307, location=f"/well{request.route}")


def behind_token(then: Callable[[Lane, Request], Awaitable[None]]) -> Any:
    async def answer(lane: Lane, request: Request) -> None:
        known = request.headers.get("authorization") == TOKEN
        await (then(lane, request) if known else lane.http(401))

    return answer


HTTP: dict[str, Callable[[Lane, Request], Awaitable[None]]] = {
    "web-page": page,
    "not-found": status(404),
    "unauthorized": status(401),
    "forbidden": status(403),
    "asleep": status(503),
    "drip": drip,
    "drip-head": drip_head,
    "huge-body": huge_body,
    "inflated": inflated,
    "hang": hang,
    "hang-up": hang_up,
    "stateful": stateful,
    "gibberish": gibberish,
    "slow-metadata": slow_metadata,
    "half-dead": half_dead,
    "only-healthy": only_healthy,
    "sick-health": sick_health,
    "elsewhere": status(302, location="http://169.254.169.254/latest/meta-data"),
    "round-trip": round_trip,
    "moved": moved,
    "sockets-only": status(404),
    "token": behind_token(pages),
    "stranger": status(404),
}
"""What is said over HTTP, by fault; the others publish `PAGES`."""

UPGRADES: dict[str, Callable[[Lane, Request], Awaitable[None]]] = {
    "no-upgrade": status(403),
    "upgrade-full": status(503),
    "upgrade-in-trouble": status(502),
    "upgrade-elsewhere": status(302, location="http://169.254.169.254/ws"),
    "upgrade-hangs": hang,
    "upgrade-page": page,
    "upgrade-drops": hang_up,
    "upgrade-round-trip": status(307, location="/upgrade-round-trip/ws"),
    "moved": moved,
} | {
    fault: HTTP[fault] for fault in ("web-page", "not-found", "unauthorized", "forbidden", "asleep")
}
UPGRADES |= {"stateful": status(403), "elsewhere": HTTP["elsewhere"]}
"""What is said instead of an upgrade, by fault."""

STRANGE: dict[str, Answer] = {"stranger": says(b"Welcome to the chat!"), "gibberish": well}

FAULTS = sorted({*ANSWERS, *HTTP, *UPGRADES, *STRANGE})


class Hostile:
    """The server, in a thread of its own."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.seen: list[str] = []
        """Every HTTP request that came, as method and path."""
        self.frames: list[str] = []
        """Every text frame that came."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._tls = tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]

    def url(self, fault: str) -> str:
        """Return the base address of an environment with one fault."""
        if fault not in FAULTS:
            raise ValueError(f"no fault {fault!r} here")
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/{fault}"

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(
            self._serve, sock=self._listening, ssl=self._tls, limit=MEBIBYTE
        )

    async def _end(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lane = Lane(reader, writer, self.frames)
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            request = await self._request(lane)
            if request.method == "CONNECT":
                lane.writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                request = await self._request(lane)
            if request.headers.get("upgrade", "").lower() == "websocket":
                await self._upgrade(lane, request)
            else:
                await HTTP.get(request.fault, pages)(lane, request)
        except (OSError, EOFError, ValueError):
            pass
        finally:
            writer.close()

    async def _request(self, lane: Lane) -> Request:
        first_byte = await lane.reader.readexactly(1)
        if first_byte == HANDSHAKE:
            await lane.http(400, b"This is plain HTTP.")
            raise ValueError("TLS on a plain port")
        head = (first_byte + await lane.reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.split("\r\n")
        method, path, _ = first.split(" ")
        self.seen.append(f"{method} {path}")
        fields = [line.partition(":") for line in lines if line]
        headers = {name.lower(): value.strip() for name, _, value in fields}
        await lane.reader.readexactly(int(headers.get("content-length", 0)))
        path = re.sub(r"\Ahttp://[^/]*", "", path)
        fault, _, route = path.lstrip("/").partition("/")
        return Request(method, fault, f"/{route}", headers)

    async def _upgrade(self, lane: Lane, request: Request) -> None:
        if request.fault in UPGRADES:
            await UPGRADES[request.fault](lane, request)
            return
        if request.fault == "token" and request.headers.get("authorization") != TOKEN:
            await lane.http(401)
            return
        key = request.headers["sec-websocket-key"].encode()
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
        lane.writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )
        if request.fault in GREETINGS:
            await GREETINGS[request.fault](lane)
        answer = STRANGE.get(request.fault) or ANSWERS.get(request.fault, well)
        step = 0
        while (message := await lane.receive()) is not None:
            step = 0 if message["type"] == "reset" else step + (message["type"] == "step")
            await answer(lane, message, step)
