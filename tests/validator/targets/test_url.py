"""A target by its URL, against the real servers, version by version."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.conftest import VERSIONS, Served
from tests.servers.hostile import Hostile
from validator.client.faults import Closed, Refused
from validator.client.limits import Limits
from validator.client.mcp import LIST_TOOLS, read_tools
from validator.client.reading import ErrorRead, McpRead, Null, Number, Observed, StateRead
from validator.errors import TargetError
from validator.targets.base import About
from validator.targets.url import UrlServer, UrlTarget

NEW, OLD = VERSIONS[0], VERSIONS[1:]


@pytest.fixture(scope="module", autouse=True)
def _all_at_once(served: Served) -> None:
    served.begin(*VERSIONS)


def with_server(url: str, use: Callable[[UrlServer], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with UrlTarget(url).open(Limits()) as server:
            return await use(server)

    return asyncio.run(run())


def about(url: str) -> About:
    async def say(server: UrlServer) -> About:
        return server.about

    found: About = with_server(url, say)
    return found


@pytest.mark.servers
@pytest.mark.parametrize("version", VERSIONS)
class TestRealServer:
    def test_about(self, served: Served, version: str) -> None:
        url = served("toy", version)
        found = about(url)
        assert (found.url, found.name, found.driver) == (url, "GuessingGame", "websocket")
        assert found.version == "1.0.0"
        assert isinstance(found.action_schema, dict)
        assert found.action_schema["required"] == ["number"]
        assert isinstance(found.observation_schema, dict)
        assert {"hint", "guesses_left"} <= found.observation_schema["properties"].keys()
        assert found.tools is None
        assert found.tasks is None
        assert found.documents["/health"] == {"status": "healthy"}
        assert ("/list_environments" in found.documents) is (version == NEW)

    def test_fingerprint_repeats_and_tells_apart(self, served: Served, version: str) -> None:
        toy, again = about(served("toy", version)), about(served("toy", version))
        assert toy.fingerprint == again.fingerprint
        assert about(served("echo-mcp", version)).fingerprint != toy.fingerprint

    def test_episode(self, served: Served, version: str) -> None:
        async def play(server: UrlServer) -> None:
            session = await server.session()
            start = await session.reset(seed=7, options={})
            assert isinstance(start, Observed)
            assert (start.reward, start.done) == (Null(), False)
            readings = [await session.step({"number": n}) for n in (0, 9)]
            assert [r.reward for r in readings if isinstance(r, Observed)] == [Number(0.0)] * 2
            assert [r.observation["hint"] for r in readings] == ["higher", "lower"]  # type: ignore
            state = await session.state()
            assert isinstance(state, StateRead)
            assert isinstance(state.state, dict)
            assert state.state["step_count"] == 2
            wrong = await session.step({"numero": 3})
            assert isinstance(wrong, ErrorRead)
            assert wrong.code == "VALIDATION_ERROR"
            assert isinstance(await session.step({"number": 9}), Observed)
            frames = session.take_frames()
            assert [frame.way for frame in frames] == ["sent", "received"] * 6
            assert session.take_frames() == ()
            await session.close()

        with_server(served("toy", version), play)

    def test_metadata_is_kept_where_the_version_sends_it(
        self, served: Served, version: str
    ) -> None:
        async def reset(server: UrlServer) -> object:
            session = await server.session()
            return await session.reset(seed=1, options={})

        reading = with_server(served("toy", version), reset)
        assert isinstance(reading, Observed)
        assert reading.metadata == ({"step": 0} if version == NEW else None)
        assert isinstance(reading.observation, dict)
        assert ("metadata" in reading.observation) is (version == NEW)

    def test_seed_reaches_the_environment(self, served: Served, version: str) -> None:
        async def hints(server: UrlServer) -> list[object]:
            session = await server.session()
            seen = []
            for seed in (1, 7, 1, 7):
                await session.reset(seed=seed, options={})
                reading = await session.step({"number": 4})
                assert isinstance(reading, Observed)
                seen.append(reading.observation)
            return seen

        seen = with_server(served("toy", version), hints)
        assert seen[:2] == seen[2:]
        assert seen[0] != seen[1]

    def test_full_server_says_so_and_gives_the_slot_back(
        self, served: Served, version: str
    ) -> None:
        async def fill(server: UrlServer) -> None:
            first = await server.session()
            assert isinstance(await first.reset(seed=1, options={}), Observed)
            for _ in range(2):
                second = await server.session()
                with pytest.raises(Refused) as caught:
                    await second.reset(seed=1, options={})
                assert caught.value.capacity == 1
                with pytest.raises(Closed):
                    await second.state()
                await second.close()
            assert isinstance(await first.step({"number": 1}), Observed)
            await first.close()
            assert isinstance(await granted(server), Observed)

        with_server(served("one-slot", version), fill)

    def test_discovery_leaves_no_slot_taken(self, served: Served, version: str) -> None:
        for _ in range(2):
            assert isinstance(with_server(served("one-slot", version), granted), Observed)

    def test_tools(self, served: Served, version: str) -> None:
        found = about(served("echo-mcp", version))
        assert found.tools is not None
        assert [tool.name for tool in found.tools] == ["echo", "repeat"]
        assert found.tools[0].description == "Return the message."
        for tool in found.tools:
            assert isinstance(tool.input_schema, dict)
            assert tool.input_schema["required"] == ["message"]
        assert found.tasks is None

    def test_tool_call_and_listing_on_a_session(self, served: Served, version: str) -> None:
        async def call(server: UrlServer) -> None:
            session = await server.session()
            await session.reset(seed=None, options={})
            listing = await session.mcp(LIST_TOOLS)
            assert isinstance(listing, McpRead)
            assert read_tools(listing.body) == server.about.tools
            action = {"tool_name": "repeat", "arguments": {"message": "ab", "times": 3}}
            reading = await session.step(action)
            assert isinstance(reading, Observed)
            assert isinstance(reading.observation, dict)
            result = reading.observation["result"]
            assert isinstance(result, dict)
            assert result["data"] == "ababab"
            assert reading.reward == Null()

        with_server(served("echo-mcp", version), call)

    def test_large_frames_pass_whole_and_are_kept_in_part(
        self, served: Served, version: str
    ) -> None:
        async def echo(server: UrlServer) -> None:
            session = await server.session()
            await session.reset(seed=None, options={})
            text = "x" * 3 * 2**20
            action = {"tool_name": "echo", "arguments": {"message": text}}
            reading = await session.step(action)
            assert isinstance(reading, Observed)
            assert isinstance(reading.observation, dict)
            result = reading.observation["result"]
            assert isinstance(result, dict)
            assert result["data"] == text
            kept = session.take_frames()[-1].text
            assert len(kept) < 2**20 + 200
            assert "bytes in all, sha256 " in kept

        with_server(served("echo-mcp", version), echo)


async def granted(server: UrlServer) -> object:
    """Reset on a new session; a server frees a slot a little after its session has ended."""
    for _ in range(100):
        session = await server.session()
        try:
            return await session.reset(seed=1, options={})
        except Refused:
            await asyncio.sleep(0.02)
        finally:
            await session.close()
    raise AssertionError("the slot was never given back")


@pytest.mark.servers
def test_tasks_are_listed_split_by_split_in_turn(served: Served) -> None:
    async def choose(server: UrlServer) -> object:
        index = server.about.tasks
        assert index is not None
        assert index.counts == {"train": 5, "test": 2}
        assert [task.id for task in index.tasks] == [
            "train/0",
            "test/0",
            "train/1",
            "test/1",
            "train/2",
            "train/3",
            "train/4",
        ]
        session = await server.session()
        return await session.reset(seed=None, options=index.tasks[3].options)

    reading = with_server(served("tasks", NEW), choose)
    assert isinstance(reading, Observed)
    assert isinstance(reading.observation, dict)
    assert reading.observation["question"] == "1 + 4"


@pytest.mark.servers
@pytest.mark.parametrize("version", OLD)
def test_older_servers_list_no_tasks(served: Served, version: str) -> None:
    assert about(served("tasks", version)).tasks is None


def test_sessions_end_with_the_block(hostile: Hostile) -> None:
    async def leave(server: UrlServer) -> list[Any]:
        return [await server.session() for _ in range(3)]

    sessions = with_server(hostile.url("well"), leave)
    for session in sessions:
        with pytest.raises(Closed):
            asyncio.run(session.state())


def test_first_session_takes_the_connection_of_discovery(hostile: Hostile) -> None:
    async def twice(server: UrlServer) -> None:
        await server.session()
        assert hostile.seen[-1] == "GET /well/ws"
        assert hostile.seen.count("GET /well/ws") == before + 1
        await server.session()
        assert hostile.seen.count("GET /well/ws") == before + 2

    before = hostile.seen.count("GET /well/ws")
    with_server(hostile.url("well"), twice)


def test_headers_reach_both_ways(hostile: Hostile) -> None:
    async def ask() -> About:
        target = UrlTarget(hostile.url("token"), headers={"Authorization": "Bearer hf_secret"})
        async with target.open(Limits()) as server:
            session = await server.session()
            assert isinstance(await session.reset(seed=1, options={}), Observed)
            return server.about

    found = asyncio.run(ask())
    assert "hf_secret" not in repr(found)
    with pytest.raises(TargetError, match="HTTP 401"):
        about(hostile.url("token"))


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("localhost:8000", {}),
        ("http://user:pw@localhost:8000", {}),
        ("http://localhost:8000", {"X-Bad": "a\r\nb"}),
    ],
)
def test_mistakes_are_told_before_anything_is_sent(url: str, headers: dict[str, str]) -> None:
    with pytest.raises(TargetError) as caught:
        UrlTarget(url, headers=headers)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize("named", [True, False])
def test_proxy_is_used_both_ways(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    proxy = f"http://127.0.0.1:{hostile.port}"
    if not named:
        monkeypatch.setenv("HTTP_PROXY", proxy)
    target = UrlTarget("http://nobody.invalid/well", proxy=proxy if named else None)
    before = len(hostile.seen)

    async def reach() -> object:
        async with target.open(Limits()) as server:
            session = await server.session()
            return await session.reset(seed=1, options={})

    assert isinstance(asyncio.run(reach()), Observed)
    seen = hostile.seen[before:]
    assert seen[0] == "GET http://nobody.invalid/well/health"
    assert seen[-2:] == ["CONNECT nobody.invalid:80", "GET /well/ws"]
