"""Sessions of one OpenEnv server, stepped together: all are asked before any answer is awaited.

This is a trainer's client: it wants throughput and stops at the first error, where the validator's
own client keeps every frame and judges none.
"""

import json
import socket
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from websockets.client import ClientProtocol
from websockets.frames import Opcode
from websockets.uri import parse_uri

Json = dict[str, Any]
SILENCE = 60.0
"""Seconds after which an answer is no longer awaited."""
CHUNK = 1 << 16


class Reply(NamedTuple):
    """What a reset or a step gave."""

    observation: Json
    reward: float
    """0 upon a reset."""
    done: bool


class Session:
    """One WebSocket session."""

    def __init__(self, url: str) -> None:
        at = urlsplit(url)
        self._socket = socket.create_connection((at.hostname or "", at.port or 80), SILENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._protocol = ClientProtocol(parse_uri(f"ws://{at.netloc}{at.path}/ws"), max_size=None)
        self._frames: list[Any] = []
        self._protocol.send_request(self._protocol.connect())
        self._flush()
        self._await()  # the server's half of the handshake

    def send(self, kind: str, data: Mapping[str, Any] | None = None) -> None:
        """Send a message; its answer must be read before the next."""
        message = {"type": kind} if data is None else {"type": kind, "data": data}
        self._protocol.send_text(json.dumps(message).encode())
        self._flush()

    def answer(self) -> Json:
        """Return the data of the next message.

        Raises:
            ConnectionError: the server told of an error, or ended the session.
        """
        whole = b""
        while True:
            frame = self._await()
            whole += frame.data
            if frame.opcode is Opcode.CLOSE:
                raise ConnectionError("the server closed the session")
            if frame.fin:
                break
        message = json.loads(whole)
        if message["type"] == "error":
            raise ConnectionError(str(message["data"])[:300])
        data: Json = message["data"]
        return data

    def close(self) -> None:
        """End the session."""
        self._socket.close()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._socket.sendall(data)

    def _await(self) -> Any:
        while True:
            while self._frames:
                frame = self._frames.pop(0)
                if getattr(frame, "opcode", None) not in (Opcode.PING, Opcode.PONG):
                    return frame
            data = self._socket.recv(CHUNK)
            if not data:
                raise ConnectionError("the server closed the connection")
            self._protocol.receive_data(data)
            self._flush()
            self._frames += self._protocol.events_received()


class Sessions:
    """Several sessions of one server."""

    def __init__(self, url: str, count: int) -> None:
        self._sessions = [Session(url) for _ in range(count)]

    def __len__(self) -> int:
        return len(self._sessions)

    def __enter__(self) -> "Sessions":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for session in self._sessions:
            session.close()

    def reset(self, which: Sequence[int], seeds: Sequence[int]) -> list[Reply]:
        """Begin an episode in each of some sessions."""
        for index, seed in zip(which, seeds, strict=True):
            self._sessions[index].send("reset", {"seed": seed})
        return [self._reply(index, begun=True) for index in which]

    def step(self, which: Sequence[int], actions: Sequence[Json]) -> list[Reply]:
        """Act once in each of some sessions."""
        for index, action in zip(which, actions, strict=True):
            self._sessions[index].send("step", action)
        return [self._reply(index, begun=False) for index in which]

    def success(self, which: Sequence[int]) -> list[float]:
        """Return the true success of the episode in each of some sessions.

        Raises:
            KeyError: the server was not started to tell it.
        """
        for index in which:
            self._sessions[index].send("state")
        return [float(self._sessions[index].answer()["success"]) for index in which]

    def _reply(self, index: int, *, begun: bool) -> Reply:
        data = self._sessions[index].answer()
        reward = 0.0 if begun else float(data["reward"])
        return Reply(data["observation"], reward, bool(data["done"]))
