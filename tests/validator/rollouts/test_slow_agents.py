"""Agents that wait for someone else: the loop goes on, and they are let go of in the end."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from probes.base import Finished, Json, Seen, Stuck, Unplayable
from validator.client.limits import Limits
from validator.client.session import Session
from validator.client.wire import MemoryWire
from validator.episodes import Episode, EpisodeKey, Failed
from validator.rollouts.play import Rules, play


class Slow:
    """Answers when it is told to, or raises."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.may_answer = asyncio.Event()
        self.asked = asyncio.Event()
        self.closed = 0
        self.heard: list[Seen] = []

    async def over(self, seen: Seen) -> None:
        assert not self.closed
        self.heard.append(seen)

    async def act(self, seen: Seen) -> Json:
        self.asked.set()
        await self.may_answer.wait()
        if self.fault is not None:
            raise self.fault
        return {"move": 0}

    async def close(self) -> None:
        self.closed += 1


def answer(message: dict[str, Any]) -> dict[str, Any]:
    data = {"observation": {}, "reward": 1.0, "done": message["type"] == "step"}
    return {"type": "observation", "data": data}


def episode_of(agent: Slow) -> "asyncio.Task[Episode]":
    return asyncio.create_task(
        play(
            Session(MemoryWire(answer), Limits()),
            agent,
            EpisodeKey(task="-", seed=0, probe="slow", repeat=0),
            options={},
            rules=Rules(max_steps=3),
            position=0,
            on_reset=lambda: None,
        )
    )


def test_two_think_at_once_and_both_are_let_go_of() -> None:
    async def road() -> tuple[list[Episode], list[Slow]]:
        agents = [Slow(), Slow()]
        running = [episode_of(agent) for agent in agents]
        for agent in agents:  # each is asked while the other one still thinks
            await agent.asked.wait()
        for agent in agents:
            agent.may_answer.set()
        return [await one for one in running], agents

    episodes, agents = asyncio.run(road())
    assert [one.ended for one in episodes] == ["done", "done"]
    assert [agent.closed for agent in agents] == [1, 1]
    last = Seen(observation={}, step=1, reward=1.0)
    assert [agent.heard for agent in agents] == [[last], [last]]


@pytest.mark.parametrize(
    ("make", "ended", "unplayable"),
    [
        (lambda: Stuck("no idea"), "failed", ""),
        (lambda: Unplayable("nobody there"), "failed", "nobody there"),
        (lambda: Finished(), "left", ""),
    ],
)
def test_one_that_is_stuck_ends_its_episode_and_says_nothing_of_others(
    make: Callable[[], Exception], ended: str, unplayable: str
) -> None:
    async def road() -> tuple[Episode, int]:
        agent = Slow(make())
        agent.may_answer.set()
        return await episode_of(agent), agent.closed

    episode, closed = asyncio.run(road())
    assert (episode.ended, episode.unplayable, closed) == (ended, unplayable, 1)
    if isinstance(episode.outcome, Failed):
        assert str(make()) in episode.outcome.why


def test_one_that_is_called_off_is_let_go_of() -> None:
    async def road() -> int:
        agent = Slow()
        running = episode_of(agent)
        await agent.asked.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return agent.closed

    assert asyncio.run(road()) == 1
