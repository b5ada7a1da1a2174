"""The same through a real MLflow server, as a team would share one."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from reports.tracking.log import Logged, log_report
from reports.tracking.read import load_report, runs
from reports.tracking.store import ReportMissing
from tests.reports.builders import hostile, worth_training

pytestmark = pytest.mark.slow

STARTING_SECONDS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers; fail with what it said where it ended."""
    end = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"{url} did not answer within {STARTING_SECONDS} seconds")


@pytest.fixture(scope="module")
def server(new_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a store on this machine."""
    folder = tmp_path_factory.mktemp("server")
    (folder / "mlflow.db").write_bytes(new_database.read_bytes())
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [
                sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1",
                "--port", str(port), "--workers", "1",
                "--backend-store-uri", f"sqlite:///{folder / 'mlflow.db'}",
                "--artifacts-destination", str(folder / "files"),
            ],
            stdout=log, stderr=log, cwd=folder, start_new_session=True,
            env=os.environ | {"MLFLOW_DISABLE_TELEMETRY": "true"},
        )  # fmt: skip
        try:
            wait_for(f"{url}/health", process)
            yield url
        finally:
            os.killpg(process.pid, 15)
            process.wait(30)


def test_a_report_goes_to_a_server_and_comes_back(server: str) -> None:
    logged = log_report(hostile(), tracking_uri=server)
    assert isinstance(logged, Logged), logged
    assert logged.where == server
    assert logged.link is not None
    assert logged.link.startswith(f"{server}/#/experiments/")
    assert logged.link.endswith(f"/runs/{logged.run_id}")
    (row,) = runs(server)
    assert (row.run_id, row.standing.verdict) == (logged.run_id, "fail")
    assert load_report(server, logged.run_id) == hostile()


def test_a_run_the_server_does_not_have(server: str) -> None:
    with pytest.raises(ReportMissing, match="there is no run"):
        load_report(server, "0" * 32)


def test_a_second_report_is_a_second_run(server: str) -> None:
    before = len(runs(server))
    assert isinstance(log_report(worth_training(), tracking_uri=server), Logged)
    assert len(runs(server)) == before + 1
