"""Runs validations on an existing Ray cluster.

Where there are at least as many targets as processors, a task takes a whole target: its worker
keeps what it plays in a folder of its own and sends it back whole, so that nodes need share no
disk. Where there are fewer, targets are taken down the road here and tasks play parts of their
episodes. A task whose worker or node is lost is begun again by Ray; since all that a run draws has
its place, it comes out the same.
"""

import asyncio
import io
import logging
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from validator.engines.base import Broken, Finished, Job, Left, Outcome
from validator.engines.local import LocalEngine
from validator.engines.shards import Door, Part, Shard, Sharded, play_shard
from validator.engines.turns import Turns
from validator.errors import EnvassayError, OwnFault, SettingsError

log = logging.getLogger(__name__)

RETRIES = 3
"""Times that a task is begun again where its worker or node was lost."""

Sent: TypeAlias = tuple[Outcome, bytes]
"""What became of a job, and its folder as a tar file."""


class RayEngine:
    """Ray tasks for jobs or for parts of them; no more jobs at once than have their turn."""

    def __init__(self, turns: Turns, *, address: str = "auto") -> None:
        """Connect to a cluster.

        Raises:
            SettingsError: Ray is not installed, or no cluster answers.
        """
        try:
            import ray
        except ImportError as fault:
            raise SettingsError(
                "ray is not installed", where="--engine", do="pip install 'envassay[ray]'."
            ) from fault
        self._ray, self._turns = ray, turns
        self._running: set[Any] = set()
        self._stopped = False
        if not ray.is_initialized():
            try:
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
            except (ConnectionError, ValueError, RuntimeError) as fault:
                raise SettingsError(
                    f"no Ray cluster answers ({type(fault).__name__})",
                    where=f"--engine ray:{address}",
                    do="Start one with `ray start --head`, or give its address.",
                ) from fault
        self._task = ray.remote(max_retries=RETRIES)(_validated)
        self._part = ray.remote(max_retries=RETRIES)(_played)
        self._here: LocalEngine | None = None

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield what became of each job, as it ends."""
        waiting = list(jobs)
        workers = int(self._ray.cluster_resources().get("CPU", 1))
        try:
            if len(waiting) >= workers:
                yield from self._turns.take(waiting, self._submit)
                return
            self._here = LocalEngine(self._turns, lambda job: self._sharded(job, workers))
            yield from self._here.run(waiting)
        finally:
            self.stop()

    def stop(self) -> None:
        """End what is running and start no more; what was played of unfinished jobs is lost."""
        self._stopped = True
        if self._here is not None:
            self._here.stop()
        for task in list(self._running):
            with suppress(Exception):
                self._ray.cancel(task, force=True)

    def _submit(self, job: Job) -> Future[Outcome]:
        ended = Future[Outcome]()
        if self._stopped:
            ended.set_result(Left(job=job))
            return ended
        task = self._task.remote(job, packed(job.settings.folder))
        self._running.add(task)

        def arrived(came: Future[Sent]) -> None:
            self._running.discard(task)
            ended.set_result(self._outcome(job, came))

        task.future().add_done_callback(arrived)
        return ended

    def _sharded(self, job: Job, workers: int) -> Sharded:
        door = Door(url=job.url, limits=job.settings.limits, headers=job.headers, proxy=job.proxy)
        return Sharded(door, self._submit_part, workers=workers)

    def _submit_part(self, shard: Shard) -> "Future[Part]":
        task = self._part.remote(shard)
        self._running.add(task)
        came: Future[Part] = task.future()
        came.add_done_callback(lambda _: self._running.discard(task))
        return came

    def _outcome(self, job: Job, came: Future[Sent]) -> Outcome:
        try:
            outcome, folder = came.result()
            unpack(folder, job.settings.folder)
        except Exception as fault:
            if self._stopped:
                return Left(job=job)
            log.exception("the task of %s broke", job.url)
            return Broken(job=job, fault=OwnFault(fault, where=job.url))
        return replace(outcome, job=job)


def _validated(job: Job, kept: bytes) -> Sent:
    """Run one job in a folder of this node; `kept` is what was played of it before."""
    with tempfile.TemporaryDirectory(prefix="envassay-") as place:
        folder = Path(place) / job.settings.folder.name
        unpack(kept, folder)
        moved = replace(
            job,
            settings=replace(job.settings, folder=folder),
            replies=Path(place) / job.replies.name,
        )
        try:
            outcome: Outcome = Finished(job=job, report=asyncio.run(moved.run()))
        except EnvassayError as fault:
            outcome = Broken(job=job, fault=fault)
        return outcome, packed(folder)


def _played(shard: Shard) -> Part:
    """Play a part of a target's episodes."""
    return asyncio.run(play_shard(shard))


def packed(folder: Path) -> bytes:
    """Return what is in a folder as a tar file; empty where there is nothing."""
    if not folder.is_dir():
        return b""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                tar.add(path, arcname=str(path.relative_to(folder)))
    return buffer.getvalue()


def unpack(data: bytes, folder: Path) -> None:
    """Write the files of a tar file into a folder, and nothing outside it."""
    folder.mkdir(parents=True, exist_ok=True)
    if data:
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            tar.extractall(folder, filter="data")
