"""Brings the index up to date from MLflow, beside what the reader sees meanwhile."""

import os
import shutil
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from reports.standing import Place, ranked_by
from reports.tracking import names
from reports.tracking.entry import Entry, Indexed
from reports.tracking.index import Index, State, indexed
from reports.tracking.read import Row
from reports.tracking.store import StoreError, asking, client, local_file

OVERLAP_MS = 120_000
"""Runs logged that long before the last one known are asked for again: clocks differ."""

PAGE_RUNS = 500
BREATH_SECONDS = 0.005
"""Between two pages, so that who waits for MLflow gets it."""

GRACE_SECONDS = 2.0
"""Where there is something to be seen, MLflow is loaded after it was drawn, not meanwhile."""

MOST_DELETED = 1_000

FOLDER = "envassay-index"

_making = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Every environment, best first, as far as the store was read."""

    entries: tuple[Entry, ...]
    version: int
    """Differs where anything else does."""
    reading: bool = False
    """More is being read right now."""
    fault: str = ""
    """Why the store could not be read just now; empty where it could."""


def folder_of(tracking_uri: str) -> Path:
    """Return where the index of a store is kept: beside its file, else in the user's cache."""
    database = local_file(tracking_uri)
    if database is not None:
        return database.parent / FOLDER
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "envassay" / "index" / sha256(tracking_uri.encode()).hexdigest()[:24]


@lru_cache(8)
def _kept(tracking_uri: str) -> "Catchup":
    return Catchup(tracking_uri)


def shared(tracking_uri: str) -> "Catchup":
    """Return the one index of a store in this process, whoever asks."""
    with _making:
        return _kept(tracking_uri)


def forget() -> None:
    """Open indexes anew from now on."""
    _kept.cache_clear()


class Catchup:
    """The index of one store, brought up to date whenever it is looked at and no longer fresh."""

    def __init__(self, tracking_uri: str, *, folder: Path | None = None) -> None:
        self._uri = tracking_uri
        self._index = Index.open(folder or folder_of(tracking_uri))
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None
        self._asked_at = float("-inf")
        self._version = 0
        self._fault = ""
        self._seen: Ranking | None = None

    def ranking(self, *, fresh: float = 5.0, patience: float = 60.0) -> Ranking:
        """Return the ranking as known, and have it brought up to date.

        Args:
            fresh: Seconds for which the store is not asked again.
            patience: Longest wait for the store where nothing at all is known yet.
        """
        known = len(self._index) > 0
        self._start(fresh, grace=GRACE_SECONDS if known and "mlflow" not in sys.modules else 0.0)
        if not known:
            end = time.monotonic() + patience
            with self._changed:
                self._changed.wait_for(
                    lambda: len(self._index) > 0 or not self.reading,
                    timeout=max(0.0, end - time.monotonic()),
                )
        with self._lock:
            if self._seen is None or self._seen.version != self._version:
                ordered = sorted(self._index.entries(), key=_place)
                self._seen = Ranking(entries=tuple(ordered), version=self._version)
            return Ranking(
                entries=self._seen.entries,
                version=self._version,
                reading=self.reading,
                fault=self._fault,
            )

    @property
    def reading(self) -> bool:
        """Return whether the store is being read right now."""
        worker = self._worker
        return worker is not None and worker.is_alive()

    @property
    def version(self) -> int:
        """Return what differs where the ranking does."""
        return self._version

    def row(self, run_id: str) -> Row | None:
        """Return one run, None where there is none; the store is waited for where it is new.

        Raises:
            StoreError: nothing is known, and the store cannot be read.
        """
        self.ranking()
        with self._lock:
            found = self._index.row(run_id)
        if found is None:
            self.wait()
            with self._lock:
                found = self._index.row(run_id)
        if found is None and self._fault:
            raise StoreError(self._fault)
        return found

    def history(self, target: tuple[str, str]) -> list[Row]:
        """Return the validations of one environment, the newest first."""
        with self._lock:
            return self._index.history(target)

    def wait(self) -> None:
        """Wait until the store has been read to its end."""
        self._start(0.0)
        if self._worker is not None:
            self._worker.join()

    def again(self) -> None:
        """Throw the index away and read everything anew."""
        self.wait()
        with self._lock:
            self._index.clear()
            self._version += 1
        self._asked_at = float("-inf")
        self._start(0.0)

    def _start(self, fresh: float, grace: float = 0.0) -> None:
        with self._changed:
            if self.reading or time.monotonic() - self._asked_at < fresh:
                return
            self._asked_at = time.monotonic()
            self._worker = threading.Thread(target=self._work, args=(grace,), daemon=True)
            self._worker.start()

    def _work(self, grace: float) -> None:
        try:
            time.sleep(grace)
            database = local_file(self._uri)
            if database is None or database.exists():
                with asking(self._uri):
                    self._read()
            self._fault = ""
        except StoreError as fault:
            self._fault = str(fault)
        with self._changed:
            self._worker = None
            self._changed.notify_all()

    def _read(self) -> None:
        with client(self._uri) as mlflow:
            experiment = mlflow.get_experiment_by_name(names.EXPERIMENT)
        if experiment is None:
            return
        known = self._index.state
        if known.experiment not in ("", experiment.experiment_id):
            self._change(lambda index: index.clear())
            known = State()
        for page in _pages(self._uri, experiment.experiment_id, known.read_until - OVERLAP_MS):
            until = max([known.read_until, *(one.ended for one in page)])
            known = State(experiment=experiment.experiment_id, read_until=until)
            self._add(page, known)
        gone = _deleted(self._uri, experiment.experiment_id)
        self._change(lambda index: index.tidy(gone))

    def _add(self, page: list[Indexed], state: State) -> None:
        self._change(lambda index: index.add(page, state))

    def _change(self, change: Callable[[Index], object]) -> None:
        """Change the index; where its folder cannot be written, go on in one of our own."""
        with self._lock:
            before = len(self._index), self._index.state.experiment
            try:
                change(self._index)
            except OSError:
                own = tempfile.mkdtemp(prefix="envassay-index-")
                weakref.finalize(self, shutil.rmtree, own, ignore_errors=True)
                self._index = Index(Path(own))
                change(self._index)
            if (len(self._index), self._index.state.experiment) != before:
                self._version += 1
        with self._changed:
            self._changed.notify_all()


def _pages(uri: str, experiment: str, after: int) -> Iterator[list[Indexed]]:
    """Yield the finished runs logged after a moment, the earliest first, some at a time.

    MLflow is let go between two pages: a report may be wanted meanwhile.
    """
    token: str | None = None
    while True:
        with client(uri) as mlflow:
            page = mlflow.search_runs(
                [experiment],
                filter_string=f"attributes.status = 'FINISHED' and attributes.end_time > {after}",
                order_by=["attributes.end_time ASC"],
                max_results=PAGE_RUNS,
                page_token=token,
            )
        found = (
            indexed(
                run.info.run_id,
                run.info.start_time,
                run.info.end_time,
                run.data.tags,
                run.data.metrics,
            )
            for run in page
        )
        yield [one for one in found if one is not None]
        token = page.token
        if not token:
            return
        time.sleep(BREATH_SECONDS)


def _deleted(uri: str, experiment: str) -> list[str]:
    from mlflow.entities import ViewType

    with client(uri) as mlflow:
        found = mlflow.search_runs(
            [experiment], run_view_type=ViewType.DELETED_ONLY, max_results=MOST_DELETED
        )
    return [run.info.run_id for run in found]


def _place(entry: Entry) -> Place:
    return ranked_by(entry.verdict, entry.number, (entry.name, entry.url))
