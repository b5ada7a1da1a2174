"""Writes a report to MLflow: one run, one batch, the files, and an end.

Logging is a courtesy to the reader, never a condition of the run: whatever is wrong with the
store, the answer comes within a bounded time and says what was not logged.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from reports.model import Report, dump
from reports.safe import address
from reports.tracking import names
from reports.tracking.names import Learning
from reports.tracking.store import (
    StoreError,
    asking,
    client,
    files_of,
    keep_silent,
    local_file,
    reason,
)

if TYPE_CHECKING:
    from mlflow.entities import Metric, Param, RunTag
    from mlflow.tracking import MlflowClient

PATIENCE_SECONDS = 60.0
"""Longest time for a whole report with small files; a new database needs about ten."""

LEAST_BYTES_PER_SECOND = 1_000_000
"""Slower uploads are given up."""

MOST_METRICS, MOST_PARAMETERS, MOST_TAGS = 800, 100, 100
"""Most of each in one request; MLflow takes 1000 things in all."""

NO_LEARNING: Learning = MappingProxyType({})

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """The report is in the store."""

    run_id: str
    where: str
    """Address of the store without its secrets, to show."""
    link: str | None
    """Page of the run, for a store with a web interface."""


@dataclass(frozen=True, slots=True)
class NotLogged:
    """The report is not in the store, and why, in one line."""

    reason: str


@dataclass(slots=True)
class _Attempt:
    """What a worker and the one who waits for it share."""

    given_up: threading.Event = field(default_factory=threading.Event)
    result: Logged | NotLogged | None = None


def log_report(
    report: Report,
    *,
    tracking_uri: str,
    artifacts: Sequence[Path] = (),
    learning: Learning = NO_LEARNING,
    patience: float = PATIENCE_SECONDS,
) -> Logged | NotLogged:
    """Log a report as one run of the experiment `envassay`.

    Args:
        report: What to log; it is stored whole as `report.json`.
        tracking_uri: Any store MLflow knows: `sqlite:////folder/mlflow.db`, an address of a
            server, a database. A SQLite store is made where there is none, with the files
            beside it.
        artifacts: Further files and folders to keep with the run.
        learning: Curves of learning probes, score by training step.
        patience: Seconds after which it is given up, longer by the time of large files.

    Returns:
        Where it is, or why it is not. A run that failed midway is marked `FAILED`, which
        readers leave out. Its end is the moment of logging: by that new runs are found.
    """
    files = [path for path in artifacts if path.name != names.REPORT_FILE]
    attempt = _Attempt()
    try:
        waiting = patience + sum(map(_bytes, files)) / LEAST_BYTES_PER_SECOND
        with client(tracking_uri) as mlflow:
            store = _Store(mlflow, tracking_uri, attempt.given_up)
            worker = threading.Thread(
                target=_work, args=(attempt, store, report, files, learning), daemon=True
            )
            worker.start()
            try:
                worker.join(waiting)
            finally:
                attempt.given_up.set()
    except StoreError as fault:
        return NotLogged(str(fault))
    except Exception as fault:  # an address MLflow cannot read, a file that is not there
        return NotLogged(reason(fault, tracking_uri))
    if attempt.result is None:
        keep_silent()
        return NotLogged(f"{address(tracking_uri)}: no answer within {waiting:.0f} seconds")
    return attempt.result


def _work(
    attempt: _Attempt, store: "_Store", report: Report, files: Sequence[Path], learning: Learning
) -> None:
    try:
        with asking(store.uri):
            attempt.result = store.write(report, files, learning)
    except StoreError as fault:
        attempt.result = NotLogged(str(fault))


@dataclass(frozen=True, slots=True)
class _Store:
    """A store one report is written to, request by request, until it is given up."""

    mlflow: "MlflowClient"
    uri: str
    given_up: threading.Event

    def write(self, report: Report, files: Sequence[Path], learning: Learning) -> Logged:
        began = round(datetime.fromisoformat(report.times.started_at).timestamp() * 1000)
        experiment = self._experiment()
        mine = {"mlflow.user": names.EXPERIMENT}
        run = self._ask(self.mlflow.create_run, experiment, start_time=began, tags=mine)
        run_id: str = run.info.run_id
        try:
            for metrics, parameters, tags in _batches(report, learning, began):
                self._ask(self.mlflow.log_batch, run_id, metrics, parameters, tags)
            self._ask(self.mlflow.log_text, run_id, dump(report), names.REPORT_FILE)
            for path in files:
                if path.is_dir():
                    self._ask(self.mlflow.log_artifacts, run_id, str(path), path.name)
                else:
                    self._ask(self.mlflow.log_artifact, run_id, str(path))
            ended = max(began, round(time.time() * 1000))
            self._ask(self.mlflow.set_terminated, run_id, "FINISHED", end_time=ended)
        except BaseException:
            self._mark_failed(run_id)
            raise
        return Logged(run_id=run_id, where=address(self.uri), link=self._link(experiment, run_id))

    def _experiment(self) -> str:
        """Return the experiment's id; it is made where there is none."""
        found = self._ask(self.mlflow.get_experiment_by_name, names.EXPERIMENT)
        if found is None:
            database = local_file(self.uri)
            place = None if database is None else files_of(database).as_uri()
            try:
                return self._ask(self.mlflow.create_experiment, names.EXPERIMENT, place)
            except Exception:  # another run was faster, or the store cannot make one at all
                found = self._ask(self.mlflow.get_experiment_by_name, names.EXPERIMENT)
                if found is None:
                    raise
        if found.lifecycle_stage != "active":
            raise StoreError(
                f"{address(self.uri)}: its experiment {names.EXPERIMENT!r} was deleted. "
                f"Restore it with `mlflow experiments restore -x {found.experiment_id}`."
            )
        return str(found.experiment_id)

    def _ask(self, request: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Make one request, unless nobody waits for it any more."""
        if self.given_up.is_set():
            raise StoreError(f"{address(self.uri)}: given up")
        return request(*args, **named)

    def _mark_failed(self, run_id: str) -> None:
        try:
            self.mlflow.set_terminated(run_id, "FAILED")
        except Exception:  # the fault that brought us here is the one to report
            return

    def _link(self, experiment: str, run_id: str) -> str | None:
        if not self.uri.startswith(("http://", "https://")):
            return None
        page = address(self.uri).replace("***@", "").rstrip("/")
        return f"{page}/#/experiments/{experiment}/runs/{run_id}"


def _bytes(path: Path) -> int:
    if not path.is_dir():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def _batches(
    report: Report, learning: Learning, began: int
) -> Iterator[tuple[list["Metric"], list["Param"], list["RunTag"]]]:
    """Yield what `log_batch` is called with: one batch, more only where MLflow's limits ask."""
    from mlflow.entities import Metric, Param, RunTag

    metrics = iter(
        Metric(point.name, point.value, began, point.step)
        for point in names.points(report, learning)
    )
    parameters = iter(Param(name, value) for name, value in names.parameters(report).items())
    tags = iter(RunTag(name, value) for name, value in names.tags(report).items())
    while True:
        batch = (
            list(islice(metrics, MOST_METRICS)),
            list(islice(parameters, MOST_PARAMETERS)),
            list(islice(tags, MOST_TAGS)),
        )
        if not any(batch):
            return
        yield batch
