"""Many targets on real servers: one table, and nothing played twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Served
from validator.cli.main import main

pytestmark = pytest.mark.servers

COMMAND = [sys.executable, "-c", "from validator.cli.main import main; raise SystemExit(main())"]
DEAD = "http://127.0.0.1:1"


def told(folder: Path, *urls: str) -> list[str]:
    path = folder / "targets.txt"
    path.write_text("".join(f"{url}\n" for url in urls))
    words = [str(path), "--budget", "40", "--probes", "noop,random", "--no-track"]
    return ["rank", *words, "--home", str(folder / "home")]


def runs(folder: Path) -> set[str]:
    return {path.name for path in (folder / "home" / "runs").iterdir()}


def test_a_list_is_ranked_and_a_dead_target_costs_the_others_nothing(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = told(tmp_path, served("toy"), DEAD, served("one-slot"))
    page = tmp_path / "ranking.md"
    code = main([*words, "--per-host", "3", "--markdown", str(page)])
    out, err = capsys.readouterr()
    assert code == 2
    assert f"envassay: {DEAD}: no answer" in err
    assert f"not validated: {DEAD}" in err
    assert len(runs(tmp_path)) == 2
    assert [line[:4] for line in page.read_text().splitlines()[2:4]] == ["| 1 ", "| 2 "]

    before = runs(tmp_path)
    code = main([*words, "--resume", "-q"])
    again, err = capsys.readouterr()
    assert (code, again) == (2, out)
    assert runs(tmp_path) == before

    main([*words, "--resume", "-q", "--seed", "1"])
    capsys.readouterr()
    assert len(runs(tmp_path)) == 4


def test_a_list_that_is_stopped_goes_on(served: Served, tmp_path: Path) -> None:
    words = told(tmp_path, served("toy"), served("one-slot"))
    words[words.index("40")] = "600"
    child = subprocess.Popen(
        [*COMMAND, *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stderr is not None
    first = child.stderr.readline()
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert first.startswith("1/2 ")
    assert child.returncode == 130
    assert "stopped by SIGINT; 1 of 2 targets are finished" in err
    assert "Traceback" not in err
    env = os.environ | {"COLUMNS": "100"}
    resumed = subprocess.run(
        [*COMMAND, *words, "--resume"], capture_output=True, text=True, env=env, timeout=120
    )
    assert resumed.returncode in (0, 1), resumed.stderr
    assert "1/1 " in resumed.stderr
    assert len(list((tmp_path / "home" / "runs").glob("*/report.json"))) == 2


def test_the_best_few_are_raced_for_and_who_is_settled_is_played_no_further(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = told(tmp_path, served("toy"), DEAD, served("one-slot"))
    words[words.index("40")] = "330"
    page = tmp_path / "ranking.md"
    race = [*words, "--top", "1", "--per-host", "1", "--markdown", str(page)]
    assert main(race) == 2
    out, err = capsys.readouterr()
    assert f"not validated: {DEAD}" in err
    (first, *_, last) = [line for line in page.read_text().splitlines() if line.startswith("- ")]
    assert first.startswith("- The best 1 of 2")
    assert "round 1, quick: 2 targets" in out
    folders = len(runs(tmp_path))
    assert (folders == 2) == ("round 2" not in out)
    assert folders in (2, 4)

    assert main([*race, "--resume", "-q"]) == 2
    again, _ = capsys.readouterr()
    assert again == out
    assert len(runs(tmp_path)) == folders

    both = [*race, "--top", "2", "--resume", "-q"]
    assert main(both) == 2
    assert "2 targets" in (out := capsys.readouterr().out)
    assert "round 2" not in out
    assert "not settled" not in out


def test_reports_cannot_be_raced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["rank", "--top", "2"], ["rank", "https://a.example", "--tolerance", "1.5"]):
        try:
            code = main([*words, "--home", str(tmp_path)])
        except SystemExit as ended:
            code = int(str(ended.code))
        assert code == 3
    err = capsys.readouterr().err
    assert "what is read from a report cannot be played on" in err
    assert "is no share" in err
