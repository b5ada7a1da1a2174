"""The gate on reports: its codes, its lines, and one line for what cannot be judged."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.model import Report, dump, load
from reports.signing import sealed
from tests.reports.builders import check, everything, pays_for_nothing, worth_training
from tests.reports.test_merging import foreign
from validator.cli import console
from validator.cli.main import main

POLICY = """name = "p"
version = "1"
[severities]
"runtime.startup" = "fail"
"semantic.floor_gap" = "fail"
"session.capacity" = "warn"
"""


def written(folder: Path, report: Report, name: str = "report.json") -> str:
    path = folder / name
    path.write_text(dump(sealed(report)), encoding="utf-8")
    return str(path)


@pytest.fixture
def policy(tmp_path: Path) -> str:
    path = tmp_path / "p.toml"
    path.write_text(POLICY)
    return str(path)


@pytest.mark.parametrize(("report", "code"), [(worth_training(), 0), (pays_for_nothing(), 1)])
def test_its_code_is_the_verdict(
    report: Report, code: int, policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, report)
    assert main(["gate", path, "--policy", policy]) == code
    first = capsys.readouterr().out
    assert main(["gate", path, "--policy", policy]) == code
    assert capsys.readouterr().out == first
    assert first.startswith("PASS  maze" if code == 0 else "FAIL  quiz")


def test_it_explains_each_line_the_worst_first(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["gate", written(tmp_path, pays_for_nothing()), "--policy", policy])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "  fails  semantic.floor_gap: doing nothing earns 0.94"
    assert lines[2] == "         Pay nothing for an empty answer."
    assert lines[3] == "  warns  session.capacity: 1 session where a group needs 8"
    assert lines[-1] == "  holds  runtime.startup: ready after 0.1 s"


def test_a_policy_that_asks_what_is_not_installed_decides_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(f'{POLICY}"runtime.startupp" = "fail"\n')
    words = (["policy", "check", str(mine)], ["gate", written(tmp_path, worth_training())])
    said = []
    for command in (words[0], [*words[1], "--policy", str(mine)]):
        assert main(command) == 3
        out, err = capsys.readouterr()
        assert out == ""
        said.append(err)
    assert said[0] == said[1]
    assert "no check named 'runtime.startupp'" in said[0]


def test_what_stayed_open_fails_only_where_all_must_be_decided(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = [check("runtime.startup", "skip", needed="more"), check("semantic.floor_gap")]
    path = written(tmp_path, worth_training().model_copy(update={"results": results}))
    assert main(["gate", path, "--policy", policy]) == 0
    assert "  open   runtime.startup" in capsys.readouterr().out
    assert main(["gate", path, "--policy", policy, "--require-complete"]) == 1
    assert "  fails  runtime.startup" in capsys.readouterr().out


def test_a_baseline_and_a_merged_report_join_the_verdict(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now, then = written(tmp_path, pays_for_nothing()), written(tmp_path, worth_training(), "then")
    other = tmp_path / "openenv.json"
    other.write_text(foreign(static__sbom="fail"))
    mine = tmp_path / "mine.toml"
    mine.write_text(f'{POLICY}[external]\n"static.sbom" = "fail"\n')
    words = ["--policy", str(mine), "--baseline", then, "--merge", str(other), "--json", "-"]
    assert main(["gate", now, *words]) == 1
    report = load(capsys.readouterr().out)
    assert [one.id for one in report.results][-1] == "static.sbom"
    found = {rule.name: rule.status for rule in report.verdict.rules}
    assert found["semantic.floor_gap"] == "fail"
    assert found["findings"] == "pass"


def test_every_format_is_written(policy: str, tmp_path: Path) -> None:
    path = written(tmp_path, pays_for_nothing())
    files = {
        name: tmp_path / f"out.{name}"
        for name in ("json", "markdown", "junit", "sarif", "github-summary", "gitlab")
    }
    flags = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    assert main(["gate", path, "--policy", policy, "-q", *flags]) == 1
    assert all(file.stat().st_size > 100 for file in files.values())


@pytest.mark.parametrize("place", ["{}/envs/envassay.yaml", "envs/../envs/envassay.yaml"])
def test_findings_are_shown_at_the_manifest_however_it_is_named(
    place: str, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "envs").mkdir()
    (tmp_path / "envs" / "envassay.yaml").write_text("envassay: {score: sum}\n")
    words = ["--manifest", place.format(tmp_path), "--gitlab", "g.json", "-q"]
    main(["gate", written(tmp_path, pays_for_nothing()), "--policy", policy, *words])
    [first, *_] = json.loads((tmp_path / "g.json").read_text())
    assert first["location"]["path"] == "envs/envassay.yaml"


def _tampered(folder: Path) -> str:
    path = Path(written(folder, pays_for_nothing()))
    path.write_text(path.read_text().replace('"status": "fail"', '"status": "pass"'))
    return str(path)


def _without_hash(folder: Path) -> str:
    path = folder / "report.json"
    path.write_text(dump(worth_training()))
    return str(path)


def _other_version(folder: Path) -> str:
    path = Path(written(folder, worth_training()))
    path.write_text(path.read_text().replace('"report_version": "1"', '"report_version": "2"'))
    return str(path)


def _no_report(folder: Path) -> str:
    path = folder / "x.json"
    path.write_text("[]")
    return str(path)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_tampered, "was changed: its evidence is not what its hash says"),
        (_without_hash, "was changed: the hash of its evidence is gone"),
        (_other_version, "is no report of this version"),
        (_no_report, "is no report of this version"),
        (lambda folder: str(folder / "none.json"), "cannot be read"),
    ],
    ids=["tampered", "no hash", "other version", "no report", "missing"],
)
def test_what_cannot_be_judged_gets_one_line_and_code_3(
    make: Callable[[Path], str],
    said: str,
    policy: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["gate", make(tmp_path), "--policy", policy]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_a_merged_file_that_is_none_gets_one_line(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "o.json"
    other.write_text("{}")
    path = written(tmp_path, worth_training())
    assert main(["gate", path, "--policy", policy, "--merge", str(other)]) == 3
    assert "is no report of `openenv validate`" in capsys.readouterr().err


@pytest.mark.parametrize("report", everything(), ids=lambda report: report.target.url)
def test_any_writer_can_be_asked_by_name(report: Report, tmp_path: Path) -> None:
    path = written(tmp_path, report)
    for name in ("junit", "sarif", "gitlab", "github-annotations", "github-summary"):
        assert main(["export", path, "--format", name, "--output", str(tmp_path / name)]) == 0


def test_policies_are_listed_shown_and_checked(
    policy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["policy", "list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["author", "event", "hub", "rfc008-v1", "rfc008-v2"]
    assert main(["policy", "show", "event"]) == 0
    assert json.loads(capsys.readouterr().out)["rules"]["undecided"] == "fail"
    assert main(["policy", "check", policy]) == 0
    assert capsys.readouterr().out.startswith("p 1: 3 checks")


def test_a_policy_with_an_unknown_check_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.toml"
    path.write_text('name = "p"\nversion = "1"\n[severities]\n"runtime.startip" = "fail"\n')
    assert main(["policy", "check", str(path)]) == 3
    assert "Did you mean 'runtime.startup'" in capsys.readouterr().err


def test_a_manifest_is_checked_without_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("envassay: {score_range: [0, 1]}\n")
    bad.write_text("envassay: {score_rang: [0, 1]}\n")
    assert main(["manifest", "check", str(good)]) == 0
    assert "envassay.score_range" in capsys.readouterr().out
    assert main(["manifest", "check", str(good), str(bad)]) == 3
    assert "Did you mean 'score_range'" in capsys.readouterr().err


@pytest.mark.parametrize(("report", "code"), [(worth_training(), 0), (pays_for_nothing(), 1)])
def test_the_verdict_stands_where_nobody_reads_the_output(
    report: Report, code: int, policy: str, tmp_path: Path
) -> None:
    there, gone = os.pipe()
    os.close(there)
    words = ["gate", written(tmp_path, report), "--policy", policy, "--annotate"]
    words += ["--json", str(tmp_path / "out.json")]
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "validator.cli.main", *words],
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        os.close(gone)
    assert (ended.returncode, ended.stderr) == (code, "")
    assert load((tmp_path / "out.json").read_text()).verdict.exit_code == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "command",
    ["gate REPORT --policy POLICY", "policy list", "policy show hub", "policy check POLICY"],
)
def test_an_output_without_room_gets_one_line(command: str, policy: str, tmp_path: Path) -> None:
    places = {"REPORT": written(tmp_path, worth_training()), "POLICY": policy}
    words = [places.get(word, word) for word in command.split()]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "validator.cli.main", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert ended.returncode == 3
    assert ended.stderr.startswith("envassay: the output: cannot be written (No space left")
    assert ended.stderr.count("\n") == 1


def test_commands_write_through_the_console() -> None:
    folder = Path(console.__file__).parent
    others = [path for path in folder.glob("*.py") if path.name != "console.py"]
    writers = [path.name for path in others if "sys.stdout.write" in path.read_text("utf-8")]
    assert writers == []


def test_annotations_leave_the_output_to_a_format(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["gate", written(tmp_path, pays_for_nothing()), "--policy", policy, "--annotate"]
    main([*words, "--json", "-"])
    out, err = capsys.readouterr()
    assert load(out).verdict.status == "fail"
    assert "::error file=openenv.yaml" in err
    main(words)
    out, err = capsys.readouterr()
    assert ("::error" in out, err) == (True, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--budget", "banana"], "--budget: means nothing where a report is judged"),
        (["--group-size", "16"], "--group-size: means nothing where a report is judged"),
        (["--resume"], "--resume: means nothing where a report is judged"),
        (["--twin", "http://x"], "--twin: means nothing where a report is judged"),
        (["--manifest", "not-there.yaml"], "not-there.yaml: cannot be read"),
    ],
)
def test_a_flag_that_would_change_nothing_is_refused(
    words: list[str], said: str, policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, worth_training())
    assert main(["gate", path, "--policy", policy, *words]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


@pytest.mark.parametrize(
    ("target", "code", "said"),
    [("ftp://x", 2, "the scheme 'ftp' is not spoken here"), ("HTTP://127.0.0.1:1", 2, "no answer")],
)
def test_what_looks_like_an_address_is_one(
    target: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gate", target, "--no-track", "--home", str(tmp_path), "-q"]) == code
    assert said in capsys.readouterr().err


def test_a_mark_at_the_start_of_a_file_is_no_part_of_it(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marked = tmp_path / "marked.toml"
    marked.write_text(POLICY, "utf-8-sig")
    path = Path(written(tmp_path, worth_training()))
    path.write_text(path.read_text(), "utf-8-sig")
    assert main(["gate", str(path), "--policy", str(marked), "-q"]) == 0


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2026-12-01", "until 2026-12-31 (30 days left), o: r"),
        ("2026-12-30", "until 2026-12-31 (1 day left), o: r"),
        ("2026-11-30", "until 2026-12-31, o: r"),
    ],
)
def test_it_is_said_that_a_waiver_soon_ends(
    day: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.toml"
    waiver = '[[waivers]]\ncheck = "latency"\nreason = "r"\nowner = "o"\nexpires = 2026-12-31\n'
    mine.write_text(POLICY + waiver)
    assert main(["policy", "check", "--on", day, str(mine)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("p 1: 3 checks, 0 of another validator, 0 thresholds, 0 declarations, 1 ")
    assert said in out


def test_a_day_that_is_none_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["policy", "check", "--on", "yesterday", "author"])
    assert ended.value.code == 3
    assert "argument --on: 'yesterday' is no day such as 2030-05-31" in capsys.readouterr().err
