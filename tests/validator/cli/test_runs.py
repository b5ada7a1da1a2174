"""The command on a real server: what it prints and writes, and what is left when it is killed."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reports.advice import is_blocking
from reports.model import load
from tests.conftest import Served
from validator.cli.main import main
from validator.rollouts.store import read_episodes

pytestmark = pytest.mark.servers

COMMAND = [sys.executable, "-c", "from validator.cli.main import main; raise SystemExit(main())"]


def without_times(path: Path) -> Any:
    found = json.loads(path.read_text())
    del found["times"], found["run"]
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def test_a_healthy_environment_gets_its_verdict_files_and_run(
    served: Served, home: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    url = served("toy")
    words = [url, "--budget", "quick", "--home", str(home), "--json", str(tmp_path / "r.json")]
    code = main(["validate", *words, "--markdown", str(tmp_path / "r.md")])
    out, err = capsys.readouterr()
    assert code == 0, out + err
    assert "WARN" in out or "PASS" in out
    assert re.search(r"episodes: \d+/\d+", err)
    report = load((tmp_path / "r.json").read_text())
    (folder,) = home.glob("runs/*")
    assert (folder / "report.json").read_text() == (tmp_path / "r.json").read_text()
    assert (folder / "report.md").read_text() == (tmp_path / "r.md").read_text()
    assert report.ledger.started == report.ledger.scored == report.ledger.planned
    assert report.headline["determinism"].estimate == 1.0
    signal_ = report.headline["signal"]
    assert signal_.low is not None
    assert signal_.estimate is not None
    assert 0 < signal_.low <= signal_.estimate <= 1
    failed = [r.id for r in report.results if r.status in ("fail", "error") and not r.question]
    assert failed == []
    rows = (folder / "episodes.csv").read_text().splitlines()
    assert len(rows) == report.ledger.started + 1

    code = main(["rank", "--home", str(home)])
    out, _ = capsys.readouterr()
    assert code == 0
    assert report.target.name in out


@pytest.mark.parametrize("version", ["openenv-core-0.3.0", "openenv-core-0.2.3"])
@pytest.mark.parametrize(("name", "asked"), [("toy", False), ("echo-mcp", True)])
def test_older_servers_are_validated_as_well(
    served: Served,
    version: str,
    name: str,
    asked: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The tool server pays null at every step and never ends, which is asked about."""
    url = served(name, version)
    report_file = tmp_path / "r.json"
    words = ["--budget", "quick", "--home", str(tmp_path), "--no-track", "--json", str(report_file)]
    code = main(["validate", url, *words, "--max-steps", "10"])
    capsys.readouterr()
    report = load(report_file.read_text())
    assert [r.id for r in report.results if is_blocking(r)] == []
    assert code == 0
    nulls = next(r for r in report.results if r.id == "runtime.reward_well_formed")
    assert nulls.question == asked
    assert (report.verdict.status == "pass") == (not asked)
    assert report.ledger.started == report.ledger.planned
    assert report.ledger.error == report.ledger.timeout == report.ledger.refused == 0
    assert all(why.startswith("no action ") for why in report.ledger.unplayable.values())
    assert not {"noop", "constant", "random", "reactive"} & set(report.ledger.unplayable)


def test_one_slot_is_found_politely(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--budget", "quick", "--home", str(tmp_path), "--no-track", "--json", "-"]
    code = main(["validate", served("one-slot"), *words])
    out, _ = capsys.readouterr()
    report = load(out)
    assert code == 0
    assert (report.target.sessions_served, report.target.sessions_refused_at) == (1, 1)
    assert report.ledger.refused == 0
    assert report.ledger.started == report.ledger.planned


def test_a_gate_that_was_ended_goes_on_as_it_says(served: Served, tmp_path: Path) -> None:
    words = ["gate", served("toy"), "--budget", "400", "--no-track", "--probes", "noop,random"]
    words += ["--home", str(tmp_path)]
    child = subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, text=True)
    assert child.stderr is not None
    for line in child.stderr:
        if line.startswith("episodes:"):
            break
    child.send_signal(signal.SIGTERM)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 128 + signal.SIGTERM
    told = shlex.split(err.strip().partition("Go on with: ")[2])
    assert told[0] == "envassay"
    resumed = subprocess.run([*COMMAND, *told[1:]], capture_output=True, text=True, check=False)
    assert resumed.returncode in (0, 1), resumed.stderr
    assert " finished episodes are kept" in err
    assert "episodes are kept" in resumed.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_killed_run_is_readable_and_goes_on(
    served: Served, tmp_path: Path, number: signal.Signals
) -> None:
    words = [served("toy"), "--budget", "400", "--no-track", "--probes", "noop,random"]
    words += ["--home", str(tmp_path / "killed")]
    child = subprocess.Popen(
        [*COMMAND, "validate", *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stderr is not None
    for line in child.stderr:
        if line.startswith("episodes:"):
            break
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    (folder,) = (tmp_path / "killed" / "runs").iterdir()
    kept = list(read_episodes(folder / "episodes"))
    assert kept
    assert not (folder / "report.json").exists()
    assert "Traceback" not in out + err
    if number != signal.SIGKILL:
        assert child.returncode == 128 + number
        assert f"stopped by {number.name}; {len(kept)} finished episodes are kept" in err
        assert "--resume" in err.splitlines()[-1]

    env = os.environ | {"COLUMNS": "100"}
    resumed = subprocess.run(
        [*COMMAND, "validate", *words, "--resume"], capture_output=True, text=True, env=env
    )
    assert resumed.returncode == 0, resumed.stderr
    assert f"{len(kept)} episodes are kept" in resumed.stderr
    whole = [*words[:-1], str(tmp_path / "whole")]
    subprocess.run([*COMMAND, "validate", *whole], capture_output=True, check=True)
    (other,) = (tmp_path / "whole" / "runs").iterdir()
    one, two = (without_times(path / "report.json") for path in (folder, other))
    one["target"].pop("sessions_served"), two["target"].pop("sessions_served")
    assert one["ledger"] == two["ledger"]
    assert one["ladder"] == two["ladder"]
    assert one["tasks"] == two["tasks"]


def test_an_unreachable_tracking_server_costs_no_report(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--budget", "20", "--home", str(tmp_path), "--tracking-uri", "http://127.0.0.1:9"]
    code = main(["validate", served("toy"), *words])
    out, _ = capsys.readouterr()
    assert code == 0
    assert "not logged" in out
    assert list(tmp_path.glob("runs/*/report.json"))
