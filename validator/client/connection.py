"""A WebSocket that counts what arrives, and takes the short way with whole text frames.

The library's way of a small exchange, its parser, its queue and its writer, costs more than all
the rest of the exchange. So a text frame that is waited for, arrives alone and whole, and fits
the limit is handed over at once, and one that is sent is written at once. Everything else,
fragments, several frames at a time, bad text, ends, takes the library's way, which alone decides
what is an error.
"""

import asyncio
import os

from websockets.asyncio.client import ClientConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State
from websockets.utils import apply_mask as apply_mask_slowly

try:
    from websockets.speedups import apply_mask
except ImportError:
    apply_mask = apply_mask_slowly

WHOLE_TEXT, MASKED = 0x81, 0x80
"""First byte of a text frame that is no fragment; bit of the second byte of one that is masked."""
TWO_BYTES, EIGHT_BYTES = 126, 127
"""Marks in the place of a length that stands behind them instead."""
HEAD_END = b"\r\n\r\n"


class Connection(ClientConnection):
    """A connection that answers one question at a time fast."""

    arrived = 0
    """Messages that have arrived."""
    most = 0
    """Largest message taken, bytes."""
    _waiter: "asyncio.Future[str | None] | None" = None
    _head = b""
    """What came of the answer to the upgrade."""
    _unparsed = 0
    """At least as many bytes are with the library as part of a frame that is not whole yet; it is
    exact as long as lengths are written in the fewest bytes."""
    _fragmented = False
    """A message has begun that further frames go on with."""

    def ask(self, text: str) -> "asyncio.Future[str | None]":
        """Send `text`, with nothing left unread, and return what the next message will come of.

        Where None comes `recv` has it, or says how the connection ended. What is sent waits in
        memory where the other end is slow to take it: there is no more of it than this message.
        """
        self._waiter = waiter = self.loop.create_future()
        if self.protocol.state is State.OPEN:
            self.transport.write(text_frame(text.encode()))
        else:
            waiter.set_result(None)
        return waiter

    def data_received(self, data: bytes) -> None:
        """Hand over a frame that comes alone, or leave the bytes to the library."""
        waiter = self._waiter
        if (
            waiter is not None
            and not (self._unparsed or self._fragmented or waiter.done())
            and self.protocol.state is State.OPEN
            and (text := text_of(data, self.most)) is not None
        ):
            self.arrived += 1
            waiter.set_result(text)
            return
        if self.protocol.state is State.CONNECTING:
            self._unparsed = self._beyond_head(data)
        else:
            self._unparsed += len(data)
        super().data_received(data)

    def process_event(self, event: Event) -> None:
        """Count a frame, and tell a waiter of a message, which the library has in its queue."""
        super().process_event(event)
        if not isinstance(event, Frame):
            return
        self._unparsed -= _head_bytes(len(event.data)) + len(event.data)
        if event.opcode in (Opcode.TEXT, Opcode.BINARY):
            self.arrived += 1
            self._fragmented = not event.fin
            self._wake()
        elif event.opcode is Opcode.CONT:
            self._fragmented = not event.fin

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _beyond_head(self, data: bytes) -> int:
        """Return how many bytes of frames came with the answer to the upgrade."""
        self._head += data
        end = self._head.find(HEAD_END)
        return 0 if end < 0 else len(self._head) - end - len(HEAD_END)


def text_frame(payload: bytes) -> bytes:
    """Return a masked frame that holds a whole text."""
    length, key = len(payload), os.urandom(4)
    if length < TWO_BYTES:
        head = bytes((WHOLE_TEXT, MASKED | length))
    elif length < 2**16:
        head = bytes((WHOLE_TEXT, MASKED | TWO_BYTES)) + length.to_bytes(2, "big")
    else:
        head = bytes((WHOLE_TEXT, MASKED | EIGHT_BYTES)) + length.to_bytes(8, "big")
    return b"".join((head, key, apply_mask(payload, key)))


def text_of(data: bytes, most: int) -> str | None:
    """Return the text where bytes are one whole unmasked text frame of at most `most` bytes."""
    if len(data) < 2 or data[0] != WHOLE_TEXT:
        return None
    length, begin = data[1], 2
    if length == TWO_BYTES:
        length, begin = int.from_bytes(data[2:4], "big"), 4
    elif length == EIGHT_BYTES:
        length, begin = int.from_bytes(data[2:10], "big"), 10
    elif length & MASKED:
        return None
    if begin + length != len(data) or length > most:
        return None
    try:
        return str(data[begin:], "utf-8")
    except UnicodeDecodeError:
        return None


def _head_bytes(length: int) -> int:
    """Return the bytes before a payload that comes unmasked, its length as short as it can be."""
    if length < TWO_BYTES:
        return 2
    return 4 if length < 2**16 else 10
