"""Runs validations on this machine, each in a thread with an event loop of its own.

They wait for servers nearly all the time, so that threads are enough; what one computes does not
hold up the sockets of another.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from reports.model import Report
from validator.engines.base import Broken, Finished, Job, Left, Outcome
from validator.engines.turns import Turns
from validator.errors import EnvassayError, OwnFault
from validator.rollouts.player import Player

log = logging.getLogger(__name__)

AT_ONCE = 16


class LocalEngine:
    """A pool of threads."""

    def __init__(self, turns: Turns, players: Callable[[Job], Player] | None = None) -> None:
        """Take turns; `players` says what plays the episodes of a job, this process if None."""
        self._turns, self._players = turns, players
        self._tasks: dict[asyncio.Task[Any], asyncio.AbstractEventLoop] = {}
        self._stopped = False

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield what became of each job, as it ends."""
        with ThreadPoolExecutor(self._turns.at_once, thread_name_prefix="target") as pool:
            try:
                yield from self._turns.take(jobs, lambda job: pool.submit(self._outcome, job))
            finally:
                self.stop()

    def stop(self) -> None:
        """End what is running in order and start no more."""
        self._stopped = True
        for task, loop in list(self._tasks.items()):
            loop.call_soon_threadsafe(task.cancel)

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
            return await (job.run(player=self._players(job)) if self._players else job.run())
        finally:
            del self._tasks[task]
