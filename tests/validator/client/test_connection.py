"""However the bytes of a server are cut, the messages are those that the library finds."""

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from validator.client.connection import Connection, text_frame, text_of
from validator.client.frames import parse, written

MOST = 400


class Transport(asyncio.Transport):
    """Keeps what is written, and closes at once."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    abort = close

    def can_write_eof(self) -> bool:
        return False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        return


def frame(payload: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True, wide: bool) -> bytes:
    """Return a server's frame, its length in more bytes than needed where it is `wide`."""
    if not wide:
        return Frame(opcode, payload, fin).serialize(mask=False)
    head = bytes(((0x80 if fin else 0) | opcode, 127))
    return head + len(payload).to_bytes(8, "big") + payload


CLOSING = Frame(Opcode.CLOSE, b"\x03\xe8bye").serialize(mask=False)
payloads = st.text(alphabet="aé€😀", max_size=90).map(str.encode)
texts = st.builds(frame, payloads, wide=st.booleans())
pings = st.builds(frame, st.binary(max_size=20), st.just(Opcode.PING), wide=st.just(False))
halves = st.builds(
    lambda one, ping, two, wide: (
        frame(one, fin=False, wide=wide) + ping + frame(two, Opcode.CONT, wide=False)
    ),
    payloads,
    st.one_of(st.just(b""), pings),
    payloads,
    st.booleans(),
)
spoilt = st.one_of(
    st.builds(frame, st.just(b"\xff\xfe"), wide=st.booleans()),
    st.builds(frame, st.just(b"x" * (MOST + 1)), wide=st.booleans()),
    st.builds(frame, payloads, st.just(Opcode.BINARY), wide=st.booleans()),
    st.builds(frame, payloads, st.just(Opcode.CONT), wide=st.booleans()),
    st.just(CLOSING),
    payloads.map(lambda payload: Frame(Opcode.TEXT, payload).serialize(mask=True)),
    st.just(b"\xc1\x01x"),
    st.just(b"\x81"),
)
frames = st.one_of(texts, texts, pings, halves, spoilt)
LIKE_A_FRAME = "Á\x01x".encode()
"""A text whose bytes after the first are a whole frame of the text `x`."""


def upgrading() -> tuple[Connection, bytes]:
    """Return a connection that has asked for the upgrade, and the server's answer to that."""
    client = ClientProtocol(parse_uri("ws://a"), max_size=MOST)
    connection = Connection(client)
    connection.most = MOST
    connection.connection_made(Transport())
    client.send_request(client.connect())
    server = ServerProtocol()
    server.receive_data(b"".join(client.data_to_send()))
    (asked,) = server.events_received()
    server.send_response(server.accept(asked))  # type: ignore[arg-type]
    return connection, b"".join(server.data_to_send())


async def heard(pieces: Iterable[bytes], *, ask: bool) -> list[Any]:
    """Return the messages of a connection that is fed pieces, and how it ended.

    With `ask` each is waited for before it comes, as `Connection.ask` does; else all are left
    to the library's queue.
    """
    connection, hello = upgrading()
    client = connection.protocol
    first, *rest = pieces or [b""]
    out: list[Any] = []
    waiting: asyncio.Future[str | None] | None = None
    for data in [hello[:9], hello[9:] + first, *rest]:
        connection.data_received(data)
        while True:
            if waiting is not None and waiting.done() and (came := waiting.result()) is not None:
                out.append(came)
                waiting = None
            elif len(connection.recv_messages.frames.queue):
                try:
                    out.append(await asyncio.wait_for(connection.recv(), 0.02))
                except TimeoutError:
                    break
                waiting = None
            else:
                break
        if ask and waiting is None and connection.response is not None:
            waiting = connection.ask("{}")
    return [*out, client.close_code if client.state.name != "OPEN" else None]


def cut(stream: list[bytes], cuts: list[tuple[bool, int]]) -> list[bytes]:
    """Return the frames of a stream, some split in two, some sent together with the next."""
    pieces = [b""]
    for index, one in enumerate(stream):
        together, place = cuts[index % len(cuts)]
        pieces[-1] += one[:place]
        pieces.append(one[place:])
        if not together:
            pieces.append(b"")
    return [piece for piece in pieces if piece]


@given(
    st.lists(frames, max_size=6),
    st.lists(st.tuples(st.booleans(), st.sampled_from([0, 0, 0, 1, 2, 3, 9])), min_size=1),
)
@example([frame(LIKE_A_FRAME, wide=False)] * 2, [(False, 3)])
@example([frame(b"a", wide=False), frame(LIKE_A_FRAME, wide=False)], [(True, 0), (False, 3)])
@example([frame(b"a", fin=False, wide=False), frame(b"b", wide=False)], [(False, 0)])
@example([frame(b"a", wide=False), CLOSING, frame(b"b", wide=False)], [(False, 0)])
def test_messages_are_those_of_the_library(
    stream: list[bytes], cuts: list[tuple[bool, int]]
) -> None:
    pieces = cut(stream, cuts)
    asked = asyncio.run(heard(pieces, ask=True))
    assert asked == asyncio.run(heard(pieces, ask=False))


def test_what_comes_whole_takes_the_short_way_again_after_a_long_one() -> None:
    async def asked() -> list[object]:
        connection, hello = upgrading()
        connection.data_received(hello)
        early = connection.ask("{}")
        long = frame(b"in two", wide=False)
        connection.data_received(long[:5])
        connection.data_received(long[5:])
        assert (early.result(), await connection.recv()) == (None, "in two")
        fed: list[bytes | bytearray] = []
        connection.protocol.receive_data = fed.append  # type: ignore[method-assign, assignment]
        late = connection.ask("{}")
        connection.data_received(frame("whole €".encode(), wide=False))
        return [late.result(), *fed]

    assert asyncio.run(asked()) == ["whole €"]


@given(st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_frames_that_are_sent_are_read_by_the_library(payload: bytes) -> None:
    sent = text_frame(payload)
    (one,) = _frames(sent)
    assert (one.opcode, one.fin, bytes(one.data)) == (Opcode.TEXT, True, payload)


def _frames(data: bytes) -> list[Frame]:
    from websockets.streams import StreamReader

    reader = StreamReader()
    reader.feed_data(data)
    parsing = Frame.parse(reader.read_exact, mask=True)
    try:
        next(parsing)
    except StopIteration as done:
        assert not reader.buffer
        return [done.value]
    raise AssertionError("no whole frame")


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 70_000])
def test_lengths(length: int) -> None:
    data = frame(b"x" * length, wide=False)
    assert text_of(data, 100_000) == "x" * length
    assert text_of(data, length) == "x" * length
    assert text_of(data, length - 1) is None
    assert text_of(data[:-1], 100_000) is None
    assert text_of(data + b"\x81", 100_000) is None
    (one,) = _frames(text_frame(b"y" * length))
    assert bytes(one.data) == b"y" * length


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(JSON, st.sampled_from(["", " ", "\n", "x", "\ufeff"]), st.sampled_from(["", " \t", "]"]))
def test_texts_are_written_and_read_as_json_does(value: Any, before: str, after: str) -> None:
    text = before + json.dumps(value) + after
    assert written(value) == json.dumps(value)
    assert _told(parse, text) == _told(json.loads, text)


def _told(read: Callable[[str], Any], text: str) -> str:
    """Return what a text is read as, or why it cannot be."""
    try:
        return repr(read(text))
    except ValueError as fault:
        return str(fault)
