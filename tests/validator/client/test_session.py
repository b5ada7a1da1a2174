"""A session over a wire in this process: what is sent, what is kept, what it is read as."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validator.client.faults import Closed, SessionFault, Timeout
from validator.client.frames import hash_of_cut, size
from validator.client.limits import Limits
from validator.client.reading import ErrorRead, McpRead, Number, Observed, StateRead, read
from validator.client.session import Session
from validator.client.wire import MemoryWire, Wire

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


DEFAULT = Limits()


def with_session(
    wire: Wire, use: Callable[[Session], Any], limits: Limits = DEFAULT
) -> tuple[Any, Session]:
    async def run() -> tuple[Any, Session]:
        session = Session(wire, limits)
        return await use(session), session

    return asyncio.run(run())


class Noting:
    """A wire that notes what it is asked for and always says the same."""

    def __init__(self, answer: str = '{"type": "state", "data": {}}') -> None:
        self.answer = answer
        self.asked: list[tuple[Any, float, str]] = []

    async def exchange(self, text: str, *, seconds: float, operation: str) -> str:
        self.asked.append((json.loads(text), seconds, operation))
        return self.answer

    async def close(self) -> None: ...


@given(
    seed=st.none() | st.integers(),
    options=st.dictionaries(st.text().filter(lambda key: key != "seed"), values),
)
def test_reset_sends_options_and_seed(seed: int | None, options: dict[str, Any]) -> None:
    wire = Noting()
    with_session(wire, lambda s: s.reset(seed=seed, options=options), Limits(reset_seconds=7))
    data = options if seed is None else options | {"seed": seed}
    assert wire.asked == [({"type": "reset", "data": data}, 7, "reset")]


def test_seed_zero_is_sent_and_no_seed_is_not() -> None:
    wire = Noting()
    with_session(wire, lambda s: s.reset(seed=0, options={}))
    with_session(wire, lambda s: s.reset(seed=None, options={}))
    assert [asked[0]["data"] for asked in wire.asked] == [{"seed": 0}, {}]


@given(values)
def test_action_is_sent_bare(action: Any) -> None:
    wire = Noting()
    with_session(wire, lambda s: s.step(action), Limits(step_seconds=3))
    assert wire.asked == [({"type": "step", "data": action}, 3, "step")]


def test_state_and_mcp() -> None:
    wire = Noting()
    with_session(wire, lambda s: s.state())
    with_session(wire, lambda s: s.mcp({"id": 1}))
    assert [asked[0] for asked in wire.asked] == [
        {"type": "state"},
        {"type": "mcp", "data": {"id": 1}},
    ]


@given(st.lists(values, max_size=8))
def test_what_an_environment_sends_comes_through_unchanged(sent: list[Any]) -> None:
    """Whatever JSON the environment answers with is what is read and what is kept."""
    answers = iter(sent)

    def answer(message: dict[str, Any]) -> dict[str, Any]:
        return {"type": "observation", "data": {"observation": next(answers), "reward": 1}}

    async def steps(session: Session) -> list[object]:
        return [await session.step({}) for _ in sent]

    readings, session = with_session(MemoryWire(answer), steps)
    frames = session.take_frames()
    assert [reading.observation for reading in readings] == sent
    assert all(reading.reward == Number(1) for reading in readings)
    assert [frame.way for frame in frames] == ["sent", "received"] * len(sent)
    assert [read(frame.text) for frame in frames[1::2]] == readings
    assert [f.seconds for f in frames] == sorted(f.seconds for f in frames)
    assert session.take_frames() == ()


@given(st.text(), st.integers(0, 200), st.integers(0, 400))
def test_kept_frames_are_bounded_and_read_whole(text: str, frame: int, episode: int) -> None:
    limits = Limits(kept_frame_bytes=frame, kept_episode_bytes=episode)
    answer = json.dumps({"type": "state", "data": {"text": text}}, ensure_ascii=False)

    async def thrice(session: Session) -> list[object]:
        return [await session.state() for _ in range(3)]

    readings, session = with_session(Noting(answer), thrice, limits)
    assert readings == [StateRead({"text": text})] * 3
    frames = session.take_frames()
    assert [kept.text for kept in frames[::2]] == ['{"type": "state"}'] * 3
    note = 120
    for kept in frames[1::2]:
        whole = kept.text == answer
        assert whole is (hash_of_cut(kept.text) is None)
        assert whole or size(kept.text) <= frame + note
    assert sum(size(kept.text) for kept in frames[1::2]) <= episode + 3 * note


def test_each_episode_may_keep_as_much_again() -> None:
    answer = json.dumps({"type": "state", "data": {"text": "x" * 100}})
    limits = Limits(kept_episode_bytes=200)

    async def two_episodes(session: Session) -> list[list[str | None]]:
        kept = []
        for _ in range(2):
            for _ in range(2):
                await session.state()
            frames = session.take_frames()
            kept.append([hash_of_cut(frame.text) for frame in frames if frame.way == "received"])
        return kept

    (first, second), _ = with_session(Noting(answer), two_episodes, limits)
    assert first == second
    assert [found is None for found in first] == [True, False]


def test_kinds_of_answers() -> None:
    async def all_four(session: Session) -> list[object]:
        return [
            await session.reset(seed=1, options={}),
            await session.state(),
            await session.mcp({}),
            await session.step(None),
        ]

    def answer(message: dict[str, Any]) -> dict[str, Any]:
        kinds = {"reset": "observation", "state": "state", "mcp": "mcp", "step": "error"}
        return {"type": kinds[message["type"]], "data": {}}

    readings, _ = with_session(MemoryWire(answer), all_four)
    assert [type(r) for r in readings] == [Observed, StateRead, McpRead, ErrorRead]


def test_closed_session() -> None:
    async def close_first(session: Session) -> None:
        await session.close()
        with pytest.raises(Closed):
            await session.state()

    with_session(MemoryWire(lambda _: {}), close_first)


def test_frame_that_had_no_answer_is_kept() -> None:
    class Silent(Noting):
        async def exchange(self, text: str, *, seconds: float, operation: str) -> str:
            raise Timeout("no answer in 30 s", operation=operation)

    async def ask(session: Session) -> None:
        with pytest.raises(SessionFault, match="step: no answer in 30 s"):
            await session.step({"move": 1})

    _, session = with_session(Silent(), ask)
    assert [frame.text for frame in session.take_frames()] == [
        '{"type": "step", "data": {"move": 1}}'
    ]
