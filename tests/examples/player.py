"""A plain client for the examples, sharing no code with the validator's own."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect


class Player:
    """One session with an example: sends a frame, returns the data of the answer."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    def ask(self, kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the whole answer to one frame."""
        self._socket.send(json.dumps({"type": kind, "data": data}))
        answer: dict[str, Any] = json.loads(self._socket.recv(timeout=20))
        return answer

    def reset(self, seed: int | None, **options: Any) -> dict[str, Any]:
        """Begin an episode."""
        return self._data(self.ask("reset", {"seed": seed, **options}))

    def step(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Act."""
        return self._data(self.ask("step", action))

    def wait_for_the_end(self) -> None:
        """Return when the server has closed the session."""
        try:
            self._socket.recv(timeout=20)
        except ConnectionClosed:
            return
        raise AssertionError("the server sent something unasked")

    @staticmethod
    def _data(answer: dict[str, Any]) -> dict[str, Any]:
        assert answer["type"] == "observation", answer
        data: dict[str, Any] = answer["data"]
        return data


@contextmanager
def session_with(url: str) -> Iterator[Player]:
    """Give a session with the environment at `url`."""
    with connect(url.replace("http", "ws", 1) + "/ws", proxy=None) as socket:
        yield Player(socket)
