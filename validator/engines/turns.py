"""Whose turn it is: as many jobs at once as are allowed, and no host crowded."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue

from validator.engines.base import THIS_MACHINE, Job, Outcome

PER_HOST = 2
"""Targets of one host that are validated at once, where the user says nothing else."""
HERE_AT_ONCE = 1
"""The same for this machine: servers, agents and clocks share its cores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Gives jobs to whatever runs them: the first one whose host has room is next."""

    at_once: int
    per_host: int | None = None

    def take(
        self, jobs: Iterable[Job], submit: Callable[[Job], Future[Outcome]]
    ) -> Iterator[Outcome]:
        """Submit each job in its turn and yield what became of it, as it ends."""
        waiting, ended = deque(jobs), SimpleQueue[tuple[Job, Future[Outcome]]]()
        busy = Counter[str]()

        def submitted(job: Job) -> None:
            busy[job.host] += 1
            submit(job).add_done_callback(lambda future: ended.put((job, future)))

        while waiting or busy.total():
            while busy.total() < self.at_once and (job := self._next(waiting, busy)):
                submitted(job)
            job, future = ended.get()
            busy[job.host] -= 1
            yield future.result()

    def _next(self, waiting: deque[Job], busy: Counter[str]) -> Job | None:
        for job in waiting:
            if busy[job.host] < self._room(job.host):
                waiting.remove(job)
                return job
        return None

    def _room(self, host: str) -> int:
        if self.per_host is not None:
            return self.per_host
        return HERE_AT_ONCE if host == THIS_MACHINE else PER_HOST
