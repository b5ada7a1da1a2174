"""Whatever a stranger does, the command ends with one clear line or a report, never a traceback."""

import json
from pathlib import Path

import pytest

from tests.servers.hostile import Hostile
from validator.cli.main import main

QUICK = [
    "--limit", "step_seconds=0.3", "--limit", "reset_seconds=0.3", "--limit", "http_seconds=0.5",
    "--limit", "connect_seconds=0.5", "--limit", "frame_bytes=2000000", "--limit",
    "connect_retries=0", "--budget", "6", "--max-steps", "5", "--no-track",
]  # fmt: skip

NO_TARGET = [
    "web-page", "not-found", "unauthorized", "forbidden", "asleep", "drip", "hang", "hang-up",
    "stateful", "elsewhere", "round-trip", "no-upgrade", "upgrade-elsewhere",
]  # fmt: skip

BROKEN = {
    "hang-on-reset": "no answer in 0.3 s",
    "hang-on-step": "no answer in 0.3 s",
    "close-on-reset": "closed",
    "close-mid-episode": "closed",
    "drop": "dropped",
    "huge-frame": "larger than the limit",
    "invalid-json": "invalid JSON",
    "no-object": "no JSON object",
    "no-data": "no object",
    "binary": "binary frame",
    "bad-utf8": "unreadable frames",
    "nan": "NaN",
    "wrong-types": '"1"',
}


def run(capsys: pytest.CaptureFixture[str], home: Path, *words: str) -> tuple[int, str, str]:
    code = main(["validate", *words, *QUICK, "--home", str(home)])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("fault", NO_TARGET)
def test_no_environment_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, hostile: Hostile, fault: str
) -> None:
    code, out, err = run(capsys, tmp_path, hostile.url(fault))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    assert not list(tmp_path.rglob("*.json*"))


@pytest.mark.parametrize(("fault", "said"), BROKEN.items())
def test_a_broken_environment_is_reported_with_what_it_did(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, hostile: Hostile, fault: str, said: str
) -> None:
    code, out, err = run(capsys, tmp_path, hostile.url(fault))
    assert "Traceback" not in out + err
    assert code == 1
    assert said in " ".join(out.split())
    (path,) = tmp_path.glob("runs/*/report.json")
    ledger = json.loads(path.read_text())["ledger"]
    parts = ("scored", "absent", "error", "timeout", "refused")
    assert ledger["started"] == sum(ledger[part] for part in parts)
    assert ledger["scored"] == 0


def test_an_endless_environment_is_ended_by_our_own_cap(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, hostile: Hostile
) -> None:
    code, out, _ = run(capsys, tmp_path, hostile.url("endless"))
    assert code == 0
    assert "episode.termination" in out
    (path,) = tmp_path.glob("runs/*/report.json")
    assert json.loads(path.read_text())["tool"]["name"] == "envassay"
