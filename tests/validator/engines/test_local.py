"""Many validations at once: how many, in which order, and how they are stopped."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from validator.engines.base import THIS_MACHINE, Broken, Finished, Left
from validator.engines.local import LocalEngine
from validator.engines.turns import Turns
from validator.errors import OwnFault, TargetError


@dataclass
class Stub:
    """A job that does what it is given."""

    url: str
    play: Callable[[], Any]
    host: str = "a"

    async def run(self, _listeners: Iterable[Any] = ()) -> Any:
        return await self.play()


class Gauge:
    """Counts who is running at once, by host."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.now: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.together = 0

    def job(self, number: int, host: str) -> Any:
        async def play() -> str:
            with self.lock:
                self.now[host] += 1
                self.most[host] = max(self.most[host], self.now[host])
                self.together = max(self.together, self.now.total())
            await asyncio.sleep(0.02)
            with self.lock:
                self.now[host] -= 1
            return f"report {number}"

        return Stub(url=f"http://{host}/{number}", play=play, host=host)


def test_every_job_ends_once_and_no_host_is_crowded() -> None:
    gauge = Gauge()
    hosts = ["a", "b", THIS_MACHINE, "a", "a", "b", THIS_MACHINE] * 3
    jobs = [gauge.job(number, host) for number, host in enumerate(hosts)]
    outcomes = list(LocalEngine(Turns(at_once=5)).run(jobs))
    told = [(o.job.url, o.report) for o in outcomes if isinstance(o, Finished)]
    assert sorted(told) == sorted((job.url, f"report {n}") for n, job in enumerate(jobs))
    assert gauge.most == {"a": 2, "b": 2, THIS_MACHINE: 1}
    assert gauge.together == 5


def test_a_host_that_is_busy_holds_up_no_other() -> None:
    gate = threading.Event()

    async def waits() -> str:
        await asyncio.to_thread(gate.wait, 10)
        return "late"

    async def quick() -> str:
        return "soon"

    jobs: list[Any] = [Stub(url=f"http://a/{n}", play=waits) for n in range(4)]
    jobs.append(Stub(url="http://b/0", play=quick, host="b"))
    ends = LocalEngine(Turns(at_once=3, per_host=2)).run(jobs)
    first = next(ends)
    assert first.job.url == "http://b/0"
    gate.set()
    assert len(list(ends)) == 4


def test_a_fault_of_one_is_its_own() -> None:
    async def unreachable() -> str:
        raise TargetError("no answer", where="http://a/0", do="Start it.")

    async def ours() -> str:
        raise ZeroDivisionError("division by zero")

    async def well() -> str:
        return "report"

    jobs: list[Any] = [
        Stub(url=f"http://a/{n}", play=play) for n, play in enumerate((unreachable, ours, well))
    ]
    found = {outcome.job.url[-1]: outcome for outcome in LocalEngine(Turns(at_once=1)).run(jobs)}
    assert isinstance(found["0"], Broken)
    assert found["0"].fault.exit_code == 2
    assert isinstance(found["1"], Broken)
    assert isinstance(found["1"].fault, OwnFault)
    assert "ZeroDivisionError" in str(found["1"].fault)
    assert isinstance(found["2"], Finished)


@pytest.mark.parametrize("ended_before", [0, 1])
def test_what_is_stopped_ends_in_order_and_nothing_more_begins(ended_before: int) -> None:
    began: list[str] = []
    cleaned: list[str] = []

    def job(name: str, *, ends: bool) -> Any:
        async def play() -> str:
            began.append(name)
            try:
                if not ends:
                    await asyncio.Event().wait()
            finally:
                cleaned.append(name)
            return "report"

        return Stub(url=f"http://a/{name}", play=play, host=name)

    engine = LocalEngine(Turns(at_once=2))
    jobs = [job("x", ends=ended_before == 1), job("y", ends=False), job("z", ends=False)]
    timer = threading.Timer(0.2, engine.stop)
    timer.start()
    outcomes = list(engine.run(jobs))
    timer.join()
    assert len(outcomes) == 3
    assert sum(isinstance(outcome, Finished) for outcome in outcomes) == ended_before
    assert sum(isinstance(outcome, Left) for outcome in outcomes) == 3 - ended_before
    assert sorted(began) == sorted(cleaned)
    assert len(began) == 2 + ended_before
