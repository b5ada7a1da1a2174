"""A real MLflow store with a report of each kind, made once."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from dashboard.serve import TRACKING_URI
from reports.model import Report
from reports.tracking.catchup import forget
from reports.tracking.log import Logged, log_report
from reports.tracking.store import client, file_store
from tests.reports.builders import HOSTILE, everything, pays_for_nothing, times
from tests.reports.stored_episodes import broken, key, played, store_of

RIGHT_TO_LEFT = "שלום \u202eevil\u202c مرحبا "


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A store, and what is in it."""

    folder: Path
    runs: dict[str, str]
    """Run by port of the environment's address; `old` is an earlier run of 8002."""

    @property
    def uri(self) -> str:
        return file_store(self.folder)

    def file(self, port: str) -> Path:
        """Return the report file of a run."""
        return self.folder / "artifacts" / self.runs[port] / "artifacts" / "report.json"


def log(report: Report, folder: Path, *artifacts: Path) -> str:
    answer = log_report(report, tracking_uri=file_store(folder), artifacts=artifacts)
    assert isinstance(answer, Logged), answer
    return answer.run_id


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """Give a store that no test changes."""
    folder = tmp_path_factory.mktemp("filled")
    target = pays_for_nothing().target.model_copy(update={"fingerprint": "sha256:old"})
    old = pays_for_nothing().model_copy(
        update={"times": times("2026-02-01T12:00:00+00:00"), "target": target}
    )
    episodes = store_of(
        tmp_path_factory.mktemp("played") / "episodes",
        [
            played(key(), [{"at": 0}, {"at": 1}, {"at": 2}], [None, 1.0]),
            played(key(replay=1), [{"at": 0}, {"at": 1}, {"at": 3}], [None, 1.0]),
            broken(key("noop", seed=None)),
            played(key("greedy"), [HOSTILE, RIGHT_TO_LEFT + "y" * 1_000_000], [0.5]),
        ],
    )
    runs = {"old": log(old, folder)}
    runs |= {
        report.target.url[-4:]: log(
            report, folder, *([] if "8003" in report.target.url else [episodes])
        )
        for report in everything()
    }
    with client(file_store(folder)) as mlflow:
        mlflow.set_tag(runs["8001"], "team", "walking")
        mlflow.set_tag(runs["8003"], "team", "walking")
        mlflow.set_tag(runs["8004"], "team", HOSTILE)
    return Filled(folder=folder, runs=runs)


@pytest.fixture
def copied(filled: Filled, tmp_path: Path) -> Filled:
    """Give a store of this test's own, whose files may be harmed."""
    folder = tmp_path / "copied"
    shutil.copytree(filled.folder, folder)
    with closing(sqlite3.connect(folder / "mlflow.db")) as database, database:
        database.execute(
            "UPDATE runs SET artifact_uri = replace(artifact_uri, ?, ?)",
            (str(filled.folder), str(folder)),
        )
    return Filled(folder=folder, runs=filled.runs)


@pytest.fixture
def store_named(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Let a test say which store the pages show."""
    from dashboard import data

    def name(uri: str) -> None:
        monkeypatch.setenv(TRACKING_URI, uri)

    for cached in (data._report, data._episodes):
        cached.clear()
    forget()
    yield name
    for cached in (data._report, data._episodes):
        cached.clear()
    forget()
