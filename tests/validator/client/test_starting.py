"""A server that starts late is waited for, within bounds, and what was waited is told."""

import asyncio
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tests.servers.hostile import Hostile
from validator.client.address import read_address
from validator.client.discovery import Found, discover
from validator.client.http import Answer, Reply, Unanswered, _seconds_of
from validator.client.limits import Limits
from validator.client.starting import Waited, until_up
from validator.client.way import Way
from validator.errors import TargetError

PATIENT = Limits(start_seconds=30.0, listen_seconds=30.0, connect_retries=0)


def answer(status: int, retry_after: float = 0.0) -> Reply:
    return Answer(status=status, kind="", body=b"", url="", retry_after=retry_after)


NOBODY = Unanswered(why="refused", cause="network", url="")


def waited(*replies: Reply, limits: Limits = PATIENT, plays: bool = False) -> tuple[Waited, int]:
    """Return what was waited, and how many of the replies were asked for."""
    left = list(replies)

    async def ask() -> Reply:
        return left.pop(0)

    async def sessions() -> bool:
        return plays

    return asyncio.run(until_up(ask, sessions, limits)), len(replies) - len(left)


def test_a_server_that_is_up_is_asked_once() -> None:
    for reply in (answer(200), answer(404), answer(500), answer(401)):
        assert waited(reply, answer(200)) == (Waited(), 1)


@pytest.mark.parametrize("cause", ["tls", "time", "size", "elsewhere"])
def test_other_troubles_are_not_waited_for(cause: str) -> None:
    fault = Unanswered(why="", cause=cause, url="")  # type: ignore[arg-type]
    assert waited(fault, answer(200)) == (Waited(), 1)


def test_it_is_asked_when_it_wants_to_be_asked() -> None:
    found, asked = waited(answer(503, retry_after=0.8), NOBODY, answer(200))
    assert (found.times, asked) == (2, 3)
    assert found.seconds >= 0.8 + 1.0


def test_a_server_that_plays_is_up_whatever_its_health_route_says() -> None:
    found, asked = waited(answer(503), answer(503), answer(200), plays=True)
    assert (found.times, asked) == (1, 2)
    assert 0.5 <= found.seconds < 1.5
    assert waited(NOBODY, answer(502), answer(200), plays=True)[1] == 3


def test_what_wakes_up_at_once_is_not_asked_for_a_session() -> None:
    assert waited(answer(503), answer(200), plays=True)[0].times == 1


@pytest.mark.parametrize(
    ("reply", "limits"),
    [
        (answer(503, retry_after=1e9), PATIENT),
        (answer(503), Limits(start_seconds=0.0)),
        (NOBODY, Limits(start_seconds=30.0, listen_seconds=0.0)),
    ],
    ids=["it wants too long", "no time for it", "nobody listens"],
)
def test_no_longer_than_is_allowed(reply: Reply, limits: Limits) -> None:
    assert waited(reply, answer(200), limits=limits) == (Waited(), 1)


def test_when_a_server_wants_to_be_asked_again() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=50)
    assert _seconds_of(" 12 ") == 12.0
    assert 40 < _seconds_of(format_datetime(soon, usegmt=True)) <= 50
    past = format_datetime(soon - timedelta(days=1), usegmt=True)
    for text in ("", "-3", "1.5", "nan", "1" * 400, "٣", past, "Mon, 99 Abc 0001", "x" * 10_000):
        assert _seconds_of(text) == 0.0


def test_a_server_that_listens_late_is_found(hostile: Hostile) -> None:
    """First nobody listens, then something says 503, then the server is there."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]

    async def run() -> Found:
        address = read_address(f"http://127.0.0.1:{port}/well")
        looking = asyncio.create_task(discover(Way(address=address, limits=PATIENT, headers={})))
        await asyncio.sleep(0.2)
        turned_away = 0

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal turned_away
            if turned_away == 0:
                await reader.readuntil(b"\r\n\r\n")
                turned_away = 1
                writer.write(
                    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"
                    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
                )
                writer.close()
                return
            there = await asyncio.open_connection("127.0.0.1", hostile.port)
            await asyncio.gather(pipe(reader, there[1]), pipe(there[0], writer))

        async with await asyncio.start_server(talk, "127.0.0.1", port):
            found = await looking
            if found.wire is not None:
                await found.wire.close()
            return found

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(2**16):
            writer.write(data)
        writer.close()

    began = time.monotonic()
    about = asyncio.run(run()).about
    assert about.name == "Stranger"
    assert about.waited.times == 2
    assert 1.5 <= about.waited.seconds <= time.monotonic() - began


def found_at(url: str) -> Found:
    async def run() -> Found:
        found = await discover(Way(address=read_address(url), limits=PATIENT, headers={}))
        if found.wire is not None:
            await found.wire.close()
        return found

    return asyncio.run(run())


def test_a_healthy_server_whose_health_route_says_503_is_not_waited_for(hostile: Hostile) -> None:
    about = found_at(hostile.url("sick-health")).about
    assert (about.name, about.waited.times) == ("Stranger", 1)
    assert about.documents["/health"] == "HTTP 503"
    assert about.waited.seconds < 10


def test_a_server_that_stays_down_is_told_as_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    limits = Limits(listen_seconds=0.6, connect_retries=0)
    way = Way(address=read_address(f"http://127.0.0.1:{port}"), limits=limits, headers={})
    with pytest.raises(TargetError, match="no answer"):
        asyncio.run(discover(way))
