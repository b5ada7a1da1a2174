"""Runs validations on this machine, each in a thread with an event loop of its own.

They wait for servers nearly all the time, so that threads are enough; what one computes does not
hold up the sockets of another.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from reports.model import Report
from validator.engines.base import THIS_MACHINE, Broken, Finished, Job, Left, Outcome
from validator.errors import EnvassayError, OwnFault

log = logging.getLogger(__name__)

AT_ONCE = 16
PER_HOST = 2
"""Targets of one host that are validated at once, where the user says nothing else."""
HERE_AT_ONCE = 1
"""The same for this machine: servers, agents and clocks share its cores."""


class LocalEngine:
    """A pool of threads that is fair to hosts: the first job whose host has room is next."""

    def __init__(self, *, at_once: int = AT_ONCE, per_host: int | None = None) -> None:
        self._at_once = at_once
        self._per_host = per_host
        self._tasks: dict[asyncio.Task[Any], asyncio.AbstractEventLoop] = {}
        self._stopped = False

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield what became of each job, as it ends."""
        waiting, ended = deque(jobs), SimpleQueue[Outcome]()
        busy = Counter[str]()
        with ThreadPoolExecutor(self._at_once, thread_name_prefix="target") as pool:
            try:
                while waiting or busy.total():
                    while busy.total() < self._at_once and (job := self._next(waiting, busy)):
                        busy[job.host] += 1
                        pool.submit(self._play, job, ended)
                    outcome = ended.get()
                    busy[outcome.job.host] -= 1
                    yield outcome
            finally:
                self.stop()

    def stop(self) -> None:
        """End what is running in order and start no more."""
        self._stopped = True
        for task, loop in list(self._tasks.items()):
            loop.call_soon_threadsafe(task.cancel)

    def _next(self, waiting: deque[Job], busy: Counter[str]) -> Job | None:
        for job in waiting:
            if busy[job.host] < self._room(job.host):
                waiting.remove(job)
                return job
        return None

    def _room(self, host: str) -> int:
        if self._per_host is not None:
            return self._per_host
        return HERE_AT_ONCE if host == THIS_MACHINE else PER_HOST

    def _play(self, job: Job, ended: "SimpleQueue[Outcome]") -> None:
        ended.put(self._outcome(job))

    def _outcome(self, job: Job) -> Outcome:
        try:
            return Finished(job=job, report=asyncio.run(self._watched(job)))
        except EnvassayError as fault:
            return Broken(job=job, fault=fault)
        except asyncio.CancelledError:
            return Left(job=job)
        except Exception as fault:
            log.exception("the validation of %s broke", job.url)
            return Broken(job=job, fault=OwnFault(fault, where=job.url))

    async def _watched(self, job: Job) -> Report:
        task = asyncio.current_task()
        assert task is not None
        self._tasks[task] = asyncio.get_running_loop()
        try:
            if self._stopped:
                raise asyncio.CancelledError
            return await job.run()
        finally:
            del self._tasks[task]
