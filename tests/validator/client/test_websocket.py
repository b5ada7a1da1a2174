"""The wire against a server with every fault: each ends in the fault that names it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from tests.servers.hostile import Hostile
from validator.client.address import read_address
from validator.client.faults import (
    Closed,
    Elsewhere,
    Oversize,
    Refused,
    SessionFault,
    Timeout,
    Transport,
)
from validator.client.limits import Limits
from validator.client.reading import ErrorRead, NotANumber, Null, Number, Observed, Unreadable
from validator.client.session import Session
from validator.client.way import Way
from validator.client.websocket import WebSocketWire, _Patience, open_wire

LIMITS = Limits(
    connect_seconds=5.0,
    reset_seconds=5.0,
    step_seconds=5.0,
    frame_bytes=2**20,
    connect_retries=0,
)
HASTY = Limits(connect_seconds=0.2, reset_seconds=0.2, step_seconds=0.2, connect_retries=0)


def way(url: str, limits: Limits = LIMITS, **headers: str) -> Way:
    return Way(address=read_address(url), limits=limits, headers=headers)


@asynccontextmanager
async def wire_to(url: str, limits: Limits = LIMITS) -> AsyncIterator[WebSocketWire]:
    wire = await open_wire(way(url, limits))
    try:
        yield wire
    finally:
        await wire.close()


async def fault_at(url: str, steps: int, limits: Limits = LIMITS) -> SessionFault:
    """Reset, step as often as told, and return the fault that the last one ends in."""
    async with wire_to(url, limits) as wire:
        session = Session(wire, limits)
        for step in range(steps + 1):
            said = session.step({"move": 1}) if step else session.reset(seed=1, options={})
            if step < steps:
                assert isinstance(await said, Observed)
                continue
            with pytest.raises(SessionFault) as caught:
                await said
            with pytest.raises(Closed):
                await session.state()
            return caught.value
    raise AssertionError


async def failed_opening(url: str, limits: Limits = LIMITS) -> SessionFault:
    with pytest.raises(SessionFault) as caught:
        await open_wire(way(url, limits))
    return caught.value


async def first_step(url: str) -> object:
    async with wire_to(url) as wire:
        session = Session(wire, LIMITS)
        await session.reset(seed=1, options={})
        return await session.step({"move": 1})


@pytest.mark.parametrize(
    ("fault", "steps", "kind", "said"),
    [
        ("close-on-reset", 0, Closed, "reset: the server closed the connection (code 1000)"),
        ("close-mid-episode", 2, Closed, "step: the server closed the connection (code 1000)"),
        (
            "close-in-trouble",
            2,
            Closed,
            "step: the server closed the connection (code 1011: the world \\x1b[31mended)",
        ),
        ("drop", 2, Closed, "step: the connection was dropped without a close frame"),
        ("huge-frame", 1, Oversize, "step: a frame larger than the limit of 1048576 bytes"),
        ("fragments", 1, Oversize, "step: a frame larger than the limit of 1048576 bytes"),
        ("binary", 1, Transport, "step: a binary frame of 2 bytes came"),
    ],
)
def test_fault(
    hostile: Hostile, fault: str, steps: int, kind: type[SessionFault], said: str
) -> None:
    found = asyncio.run(fault_at(hostile.url(fault), steps))
    assert (type(found), str(found)) == (kind, said)


@pytest.mark.parametrize("fault", ["bad-utf8", "bad-frame"])
def test_frames_against_the_protocol(hostile: Hostile, fault: str) -> None:
    found = asyncio.run(fault_at(hostile.url(fault), 1))
    assert isinstance(found, Transport)
    assert found.why.startswith("unreadable frames (")


@pytest.mark.parametrize(("fault", "steps"), [("hang-on-reset", 0), ("hang-on-step", 1)])
def test_silence(hostile: Hostile, fault: str, steps: int) -> None:
    found = asyncio.run(fault_at(hostile.url(fault), steps, HASTY))
    assert (type(found), found.why) == (Timeout, "no answer in 0.2 s")


def test_close_code_is_kept(hostile: Hostile) -> None:
    found = asyncio.run(fault_at(hostile.url("close-in-trouble"), 2))
    assert isinstance(found, Closed)
    assert found.code == 1011


def test_late_answer_is_never_taken_for_the_next(hostile: Hostile) -> None:
    async def run() -> None:
        async with wire_to(hostile.url("late"), HASTY) as wire:
            await wire.exchange('{"type": "reset"}', seconds=5, operation="reset")
            with pytest.raises(Timeout):
                await wire.exchange('{"type": "step"}', seconds=0.1, operation="step")
            before = len(hostile.frames)
            for _ in range(3):
                with pytest.raises(Closed, match="no answer in 0.1 s"):
                    await wire.exchange('{"type": "step"}', seconds=5, operation="step")
            assert len(hostile.frames) == before

    asyncio.run(run())


def test_cancelled_request_spends_the_wire(hostile: Hostile) -> None:
    async def run() -> None:
        async with wire_to(hostile.url("late")) as wire:
            await wire.exchange('{"type": "reset"}', seconds=5, operation="reset")
            asking = asyncio.create_task(
                wire.exchange('{"type": "step"}', seconds=5, operation="step")
            )
            await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            with pytest.raises(Closed, match="an earlier request has no answer"):
                await wire.exchange('{"type": "step"}', seconds=5, operation="step")

    asyncio.run(run())


def test_second_answer_is_not_taken_for_the_next(hostile: Hostile) -> None:
    async def run() -> None:
        async with wire_to(hostile.url("twice")) as wire:
            for message in ("reset", "step"):
                answer = await wire.exchange(
                    json.dumps({"type": message}), seconds=5, operation=message
                )
                assert json.loads(answer)["data"]["reward"] != 999.0
            while wire._connection.arrived < 3:
                await asyncio.sleep(0)
            with pytest.raises(Transport, match="nobody had asked for"):
                await wire.exchange('{"type": "step"}', seconds=5, operation="step")

    asyncio.run(run())


def test_greeting_is_not_taken_for_the_first_answer(hostile: Hostile) -> None:
    async def run() -> None:
        async with wire_to(hostile.url("greeting")) as wire:
            while not wire._connection.arrived:
                await asyncio.sleep(0)
            with pytest.raises(Transport, match="nobody had asked for"):
                await wire.exchange('{"type": "reset"}', seconds=5, operation="reset")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("fault", "capacity", "said"),
    [
        ("full", 2, "no session granted (CAPACITY_REACHED: Server at capacity: 2/2"),
        ("full-without-number", None, "no session granted (CAPACITY_REACHED"),
        ("no-factory", None, "no session granted (FACTORY_ERROR"),
    ],
)
@pytest.mark.parametrize("wait", [False, True])
def test_session_not_granted(
    hostile: Hostile, fault: str, capacity: int | None, said: str, wait: bool
) -> None:
    async def run() -> Refused:
        async with wire_to(hostile.url(fault)) as wire:
            while wait and not wire._connection.arrived:
                await asyncio.sleep(0)
            with pytest.raises(Refused) as caught:
                await Session(wire, LIMITS).reset(seed=1, options={})
            return caught.value

    found = asyncio.run(run())
    assert found.capacity == capacity
    assert found.why.startswith(said)


def test_refusal_is_only_read_in_the_first_answer(hostile: Hostile) -> None:
    reading = asyncio.run(first_step(hostile.url("looks-full-later")))
    assert reading == ErrorRead(code="CAPACITY_REACHED", message="later", errors=None)


def test_nan_is_neither_null_nor_number(hostile: Hostile) -> None:
    reading = asyncio.run(first_step(hostile.url("nan")))
    assert isinstance(reading, Observed)
    assert reading.reward == NotANumber("NaN")


def test_wrong_types_are_kept_as_they_are(hostile: Hostile) -> None:
    reading = asyncio.run(first_step(hostile.url("wrong-types")))
    assert isinstance(reading, Observed)
    assert (reading.observation, reading.reward, reading.done) == (7, NotANumber('"1"'), None)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("invalid-json", "invalid JSON ("),
        ("deep", "invalid JSON (nested deeper than 200 levels)"),
        ("no-object", "the frame is no JSON object"),
        ("no-data", 'a frame of type "observation" whose data is no object'),
    ],
)
def test_unreadable_answer(hostile: Hostile, fault: str, why: str) -> None:
    reading = asyncio.run(first_step(hostile.url(fault)))
    assert isinstance(reading, Unreadable)
    assert reading.why.startswith(why)


def test_endless_episode_goes_on_as_long_as_it_is_asked(hostile: Hostile) -> None:
    async def run() -> list[object]:
        async with wire_to(hostile.url("endless")) as wire:
            session = Session(wire, LIMITS)
            await session.reset(seed=1, options={})
            return [await session.step({"move": 1}) for _ in range(50)]

    readings = asyncio.run(run())
    assert [r.done for r in readings if isinstance(r, Observed)] == [False] * 50


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        ("no-upgrade", Refused, "open: the upgrade was answered with HTTP 403"),
        ("unauthorized", Refused, "open: the upgrade was answered with HTTP 401"),
        ("upgrade-full", Refused, "open: the upgrade was answered with HTTP 503"),
        ("upgrade-page", Refused, "open: the upgrade was answered with HTTP 200"),
        ("upgrade-in-trouble", Transport, "open: the upgrade was answered with HTTP 502"),
        (
            "upgrade-elsewhere",
            Elsewhere,
            "open: the upgrade is redirected to http://169.254.169.254/ws: not followed",
        ),
        ("upgrade-round-trip", Transport, "open: more than 3 redirects"),
    ],
)
def test_opening(hostile: Hostile, fault: str, kind: type[SessionFault], said: str) -> None:
    found = asyncio.run(failed_opening(hostile.url(fault)))
    assert (type(found), str(found)) == (kind, said)


def test_opening_that_hangs(hostile: Hostile) -> None:
    found = asyncio.run(failed_opening(hostile.url("upgrade-hangs"), HASTY))
    assert (type(found), found.why) == (Timeout, "no connection in 0.2 s")


@pytest.mark.parametrize(
    ("fault", "tries"), [("upgrade-in-trouble", 3), ("upgrade-drops", 3), ("no-upgrade", 1)]
)
def test_only_passing_troubles_are_tried_again(hostile: Hostile, fault: str, tries: int) -> None:
    before = len(hostile.seen)
    patient = Limits(connect_seconds=5.0, connect_retries=2)
    asyncio.run(failed_opening(hostile.url(fault), patient))
    assert hostile.seen[before:] == [f"GET /{fault}/ws"] * tries


def test_redirect_on_the_same_host_is_followed(hostile: Hostile) -> None:
    async def run() -> object:
        async with wire_to(hostile.url("moved")) as wire:
            return await Session(wire, LIMITS).reset(seed=1, options={})

    reading = asyncio.run(run())
    assert isinstance(reading, Observed)
    assert reading.reward == Number(0.0)


def test_nobody_there(hostile: Hostile) -> None:
    found = asyncio.run(failed_opening("http://127.0.0.1:9"))
    assert isinstance(found, Transport)
    assert "onnect" in found.why


def test_no_certificate_there(hostile: Hostile) -> None:
    found = asyncio.run(failed_opening(hostile.url("well").replace("http:", "https:")))
    assert isinstance(found, Transport)
    assert "SSL" in found.why


def test_proxy_that_is_not_there() -> None:
    async def run() -> SessionFault:
        proxied = Way(
            address=read_address("http://example.invalid"),
            limits=LIMITS,
            headers={},
            proxy="http://127.0.0.1:9",
        )
        with pytest.raises(SessionFault) as caught:
            await open_wire(proxied)
        return caught.value

    assert isinstance(asyncio.run(run()), Transport)


def test_headers_are_sent_and_not_shown(hostile: Hostile) -> None:
    secret = way(hostile.url("well"), Authorization="Bearer hf_secret")
    assert "secret" not in repr(secret)


def test_close_is_silent_and_final(hostile: Hostile) -> None:
    async def run() -> None:
        wire = await open_wire(way(hostile.url("drop")))
        await wire.close()
        await wire.close()
        with pytest.raises(Closed, match="the session was closed"):
            await wire.exchange("{}", seconds=1, operation="step")

    asyncio.run(run())


class Clock:
    """An event loop's clock and timers, moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[[], None]) -> "Timer":
        timer = Timer(self, when, call)
        self.timers.append(timer)
        return timer

    def move_to(self, now: float) -> None:
        while due := [timer for timer in self.timers if timer.at <= now]:
            first = min(due, key=lambda timer: timer.at)
            self.timers.remove(first)
            self.now = first.at
            first.call()
        self.now = now


@dataclass(eq=False)
class Timer:
    clock: Clock
    at: float
    call: Callable[[], None]

    def when(self) -> float:
        return self.at

    def cancel(self) -> None:
        self.clock.timers.remove(self)


@pytest.mark.parametrize(
    ("waits", "gave_up"),
    [
        ([(10.0, 9.9)], None),
        ([(10.0, 10.0)], 10.0),
        ([(60.0, 1.0), (5.0, 4.0), (5.0, 4.0)], None),
        ([(60.0, 1.0), (5.0, 99.0)], 6.0),
        ([(5.0, 1.0), (60.0, 30.0), (60.0, 99.0)], 91.0),
        ([(5.0, 4.9)] * 100, None),
    ],
)
def test_each_wait_has_its_own_limit(
    waits: list[tuple[float, float]], gave_up: float | None
) -> None:
    """Each wait is its limit and how long the answer took; one timer does for all of them."""
    clock = Clock()
    ended: list[float] = []
    patience = _Patience(clock, lambda: ended.append(clock.now))  # type: ignore[arg-type]
    for limit, took in waits:
        patience.begin(limit)
        assert len(clock.timers) == 1
        clock.move_to(clock.now + took)
        patience.end()
    clock.move_to(1000.0)
    assert ended == ([] if gave_up is None else [gave_up])
    assert patience.ran_out is (gave_up is not None)
    assert clock.timers == []


def test_null_reward_stays_null(hostile: Hostile) -> None:
    answer = '{"type": "observation", "data": {"reward": null}}'

    async def run() -> Session:
        class Fixed:
            async def exchange(self, text: str, *, seconds: float, operation: str) -> str:
                return answer

            async def close(self) -> None: ...

        session = Session(Fixed(), LIMITS)
        reading = await session.reset(seed=None, options={})
        assert isinstance(reading, Observed)
        assert reading.reward == Null()
        return session

    frames = asyncio.run(run()).take_frames()
    assert [(f.way, f.text) for f in frames] == [
        ("sent", '{"type": "reset", "data": {}}'),
        ("received", answer),
    ]
