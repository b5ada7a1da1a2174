"""One quiet, patient-but-not-too-patient client of MLflow, and what can go wrong with it.

MLflow is imported here and nowhere else, and only when a store is used: it costs more than a
second. Left alone it talks to the terminal, reports its use over the network, and retries an
address that does not answer for minutes; what it is told instead holds inside `client` only.
Settings that the user made for MLflow stand.
"""

import logging
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reports.safe import address, without_secrets

if TYPE_CHECKING:
    from mlflow.tracking import MlflowClient

ANSWER_SECONDS = 15
"""Longest wait for the answer to one request; the first answer of a new server takes ten."""

_SETTINGS = {
    "MLFLOW_HTTP_REQUEST_TIMEOUT": str(ANSWER_SECONDS),
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR": "1",
    "MLFLOW_HTTP_RESPECT_RETRY_AFTER_HEADER": "false",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "GIT_PYTHON_REFRESH": "quiet",
}

_SIGNS = {
    "Failed to resolve": "no host of that name is known",
    "Name or service not known": "no host of that name is known",
    "Connection refused": "nothing listens there",
    "timed out": "no answer in time",
    "Max retries exceeded": "no answer",
}
"""What network errors say, in words for people; the first that is found counts."""

_TALKATIVE = ("mlflow", "alembic", "sqlalchemy", "urllib3")

_one_at_a_time = threading.RLock()
"""Environment variables belong to the whole process."""


class StoreError(Exception):
    """The tracking store cannot do what was asked; the text is one line for the user."""


class ReportMissing(StoreError):
    """The run is there, its report is not."""


@contextmanager
def client(tracking_uri: str) -> Iterator["MlflowClient"]:
    """Give a client of the store at `tracking_uri`; nothing is asked of the store yet."""
    if not tracking_uri:  # MLflow would take the working directory
        raise StoreError("no tracking address was given")
    with _one_at_a_time, _told(_SETTINGS), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mlflow.tracking import MlflowClient

        with _silent():
            yield MlflowClient(tracking_uri=tracking_uri)


@contextmanager
def asking(tracking_uri: str) -> Iterator[None]:
    """Turn whatever MLflow, its database or the network throws into a `StoreError`."""
    try:
        yield
    except StoreError:
        raise
    except Exception as fault:  # MLflow lets through what its database and HTTP layers raise
        raise StoreError(reason(fault, tracking_uri)) from fault


def reason(fault: BaseException, tracking_uri: str) -> str:
    """Return one line on what went wrong, without the secrets of the address."""
    said = " ".join(str(fault).split())
    known = next((words for sign, words in _SIGNS.items() if sign in said), None)
    for tail in (" [SQL:", " (Background on", " See https:"):
        said = said.partition(tail)[0]
    shown = known or without_secrets(said, tracking_uri) or type(fault).__name__
    return f"{address(tracking_uri)}: {shown}"


def local_file(tracking_uri: str) -> Path | None:
    """Return the database file of a SQLite store, None for any other kind of store."""
    if not tracking_uri.startswith("sqlite"):
        return None
    plain_path = tracking_uri.removeprefix("sqlite:////")
    if plain_path != tracking_uri and not {"?", "%", "#"} & set(plain_path):
        return Path(f"/{plain_path}")  # as SQLAlchemy reads it, without the time to load that
    from sqlalchemy.engine import make_url

    database = make_url(tracking_uri).database
    return Path(database).absolute() if database and database != ":memory:" else None


def file_store(folder: Path) -> str:
    """Return the address of the SQLite store that lives in a folder."""
    return f"sqlite:///{folder.absolute() / 'mlflow.db'}"


def files_of(database: Path) -> Path:
    """Return the folder where a SQLite store keeps the files of its runs."""
    return database.parent / "artifacts"


def place(tracking_uri: str) -> str:
    """Return where a store is, to show: a file by its folder and name, else the address."""
    database = local_file(tracking_uri)
    return f"{database.parent.name}/{database.name}" if database else address(tracking_uri)


def keep_silent() -> None:
    """Silence MLflow for good: a request that nobody waits for any more still runs."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _told(settings: dict[str, str]) -> Iterator[None]:
    added = [name for name in settings if name not in os.environ]
    os.environ.update({name: settings[name] for name in added})
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def _silent() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in _TALKATIVE]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
