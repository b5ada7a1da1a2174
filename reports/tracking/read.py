"""Reads reports back: rows of a ranking from tags and metrics, one report from its file."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reports.model import Report, load
from reports.safe import plain
from reports.standing import Standing, rank
from reports.tracking import names
from reports.tracking.store import ReportMissing, asking, client, files_of, local_file

if TYPE_CHECKING:
    from mlflow.entities import Run
    from mlflow.tracking import MlflowClient

    from reports.episodes import Episodes

PAGE = 1000
"""Runs asked for at once."""

MISSING = ("RESOURCE_DOES_NOT_EXIST", "INVALID_PARAMETER_VALUE", "NOT_FOUND")
"""MLflow's words for a run or file that is not there."""

MOST_BYTES = 256 * 2**20
"""Largest report that is opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One logged validation."""

    run_id: str
    standing: Standing


def runs(tracking_uri: str) -> list[Row]:
    """Return every finished validation in the store, the newest first.

    Reads tags, parameters and metrics only. A SQLite file that does not exist is an empty
    store and is not made.

    Raises:
        StoreError: the store cannot be read.
    """
    database = local_file(tracking_uri)
    if database is not None and not database.exists():
        return []
    with asking(tracking_uri), client(tracking_uri) as mlflow:
        experiment = mlflow.get_experiment_by_name(names.EXPERIMENT)
        if experiment is None:
            return []
        return list(_rows(_finished(mlflow, experiment.experiment_id)))


def latest(rows: Iterable[Row]) -> list[Row]:
    """Return the newest row of each environment, best first; `rows` come newest first."""
    newest: dict[tuple[str, str], Row] = {}
    for row in rows:
        newest.setdefault(row.standing.target, row)
    by_place = {id(row.standing): row for row in newest.values()}
    return [by_place[id(place)] for place in rank(row.standing for row in newest.values())]


def ranking_table(tracking_uri: str) -> list[Row]:
    """Return the newest validation of each environment, best first.

    Raises:
        StoreError: the store cannot be read.
    """
    return latest(runs(tracking_uri))


def history(rows: Iterable[Row], target: tuple[str, str]) -> list[Row]:
    """Return the validations of one environment, in the order of `rows`."""
    return [row for row in rows if row.standing.target == target]


def load_report(tracking_uri: str, run_id: str) -> Report:
    """Return the whole report of one run.

    Raises:
        ReportMissing: there is no such run, or its report is gone or of another version.
        StoreError: the store cannot be read.
    """
    database = local_file(tracking_uri)
    if database is not None and not database.exists():
        raise ReportMissing(f"no run {_shown(run_id)}: there is no store at {database}")
    if database is not None and run_id.isalnum():  # in place: no need to wait for MLflow
        beside = files_of(database) / run_id / "artifacts" / names.REPORT_FILE
        if beside.is_file():
            return _parsed(beside, run_id)
    with (
        asking(tracking_uri),
        client(tracking_uri) as mlflow,
        tempfile.TemporaryDirectory(prefix="envassay-") as folder,
    ):
        file = _downloaded(mlflow, _known(mlflow, run_id), folder, database)
        return _parsed(file, run_id)


def load_episodes(tracking_uri: str, run_id: str) -> "Episodes":
    """Return the stored episodes of one run, as they were logged with it.

    Raises:
        ReportMissing: there is no such run, or its episodes are gone or were never logged.
        StoreError: the store cannot be read.
    """
    database = local_file(tracking_uri)
    if database is not None and not database.exists():
        raise ReportMissing(f"no run {_shown(run_id)}: there is no store at {database}")
    missing = ReportMissing(
        f"run {_shown(run_id)} has no episodes to read: they were not logged with it, were "
        "deleted, or are kept where this machine cannot reach them"
    )
    for name in names.EPISODES:
        if database is not None and run_id.isalnum():
            beside = files_of(database) / run_id / "artifacts" / name
            if beside.exists():
                return _opened(beside, missing)
    with asking(tracking_uri), client(tracking_uri) as mlflow:
        known = _known(mlflow, run_id)
        for name in names.EPISODES:
            own = Path(tempfile.mkdtemp(prefix="envassay-"))
            try:
                found = Path(mlflow.download_artifacts(known, name, str(own)))
                return _opened(found, missing, own=own)
            except Exception as fault:  # each store has its own way to say that there is none
                shutil.rmtree(own, ignore_errors=True)
                missing.__cause__ = fault
        raise missing


def _opened(path: Path, missing: ReportMissing, *, own: Path | None = None) -> "Episodes":
    from reports.episodes import Episodes

    try:
        return Episodes(path, own=own)
    except (OSError, ValueError) as fault:
        raise missing from fault


def _known(mlflow: "MlflowClient", run_id: str) -> str:
    from mlflow.exceptions import MlflowException

    try:
        found: str = mlflow.get_run(run_id).info.run_id
    except MlflowException as fault:
        if fault.error_code in MISSING:
            raise ReportMissing(f"there is no run {_shown(run_id)} in this store") from fault
        raise
    return found


def _downloaded(mlflow: "MlflowClient", run_id: str, folder: str, database: Path | None) -> Path:
    from mlflow.exceptions import MlflowException

    try:
        return Path(mlflow.download_artifacts(run_id, names.REPORT_FILE, folder))
    except OSError as fault:
        missing: Exception = fault
    except MlflowException as fault:
        if fault.error_code not in MISSING:
            raise
        missing = fault
    if database is not None:  # the store notes absolute paths; its folder may have been moved
        beside = files_of(database) / run_id / "artifacts" / names.REPORT_FILE
        if beside.is_file():
            return beside
    raise ReportMissing(
        f"run {_shown(run_id)} has no {names.REPORT_FILE} to read: it was deleted, or its files "
        "are kept where this machine cannot reach them"
    ) from missing


def _parsed(file: Path, run_id: str) -> Report:
    size = file.stat().st_size
    if size > MOST_BYTES:
        raise ReportMissing(f"the report of run {_shown(run_id)} is too large: {size:,} bytes")
    try:
        return load(file.read_text("utf-8"))
    except ValueError as fault:
        raise ReportMissing(
            f"the report of run {_shown(run_id)} is damaged, or of another version of envassay"
        ) from fault


def _shown(run_id: str) -> str:
    return plain(run_id, 60) or "without a name"


def _finished(mlflow: "MlflowClient", experiment_id: str) -> Iterator["Run"]:
    token: str | None = None
    while True:
        page = mlflow.search_runs(
            [experiment_id],
            filter_string="attributes.status = 'FINISHED'",
            order_by=["attributes.start_time DESC"],
            max_results=PAGE,
            page_token=token,
        )
        yield from page
        token = page.token
        if not token:
            return


def _rows(found: Iterable["Run"]) -> Iterator[Row]:
    for run in found:
        place = names.standing_of(run.data.tags, run.data.params, run.data.metrics)
        if place is not None:
            yield Row(run_id=run.info.run_id, standing=place)
