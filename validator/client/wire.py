"""The interface of a connection, and the in-memory one."""

import json
from collections.abc import Callable
from typing import Any, Protocol

from validator.client.faults import Closed


class Wire(Protocol):
    """Sends one frame and returns the answer exactly as it came."""

    async def exchange(self, text: str, *, seconds: float, operation: str) -> str:
        """Send `text`, wait at most `seconds` for one answer.

        Raises:
            SessionFault: no answer came, and why. The wire is then of no further use.
        """
        ...

    async def close(self) -> None:
        """End the connection; never raises."""
        ...

    async def drop(self) -> None:
        """Cut the connection without a farewell, as a crash would; never raises."""
        ...


class MemoryWire:
    """A wire with the environment on the other end in this process, for tests."""

    def __init__(self, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self._answer = answer
        self.closed = False

    async def exchange(self, text: str, *, seconds: float, operation: str) -> str:
        if self.closed:
            raise Closed("the wire is closed", operation=operation)
        return json.dumps(self._answer(json.loads(text)))

    async def close(self) -> None:
        self.closed = True

    async def drop(self) -> None:
        self.closed = True
