"""What a user gets wrong is named in one line, before anything is run, with exit code 3."""

from pathlib import Path

import pytest

from validator.cli.flags import settings_of
from validator.cli.main import build_parser, main
from validator.manifest import Manifest

NOWHERE = "http://127.0.0.1:9"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(list(words))
    except SystemExit as fault:
        code = int(fault.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "required: TARGET"),
        (["ftp://x"], "ftp"),
        (["localhost:8000"], "http://localhost:8000"),
        ([NOWHERE, "--probes", "randm"], "Did you mean 'random'?"),
        ([NOWHERE, "--probes", ","], "no probe is named"),
        ([NOWHERE, "--policy", "autor"], "Did you mean 'author'?"),
        ([NOWHERE, "--budget", "huge"], "'huge' is no budget"),
        ([NOWHERE, "--budget", "0"], "'0' is no budget"),
        ([NOWHERE, "--group-size", "1"], "no whole number from 2 on"),
        ([NOWHERE, "--seed", "-1"], "no whole number from 0 on"),
        ([NOWHERE, "--seed", "x"], "'x' is no whole number"),
        ([NOWHERE, "--sessions", "0"], "no whole number from 1 on"),
        ([NOWHERE, "--bugdet", "quick"], "--bugdet"),
        ([NOWHERE, "--budg", "quick"], "--budg"),
        ([NOWHERE, "--header", "secret"], "is no header"),
        ([NOWHERE, "--header", "@nowhere.txt"], "nowhere.txt cannot be read"),
        ([NOWHERE, "--limit", "step_second=1"], "Did you mean 'step_seconds'?"),
        ([NOWHERE, "--limit", "step_seconds=soon"], "step_seconds cannot be 'soon'"),
        ([NOWHERE, "--limit", "step_seconds=0"], "step_seconds cannot be '0'"),
        ([NOWHERE, "--limit", "step_seconds=nan"], "step_seconds cannot be 'nan'"),
        ([NOWHERE, "--manifest", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
        ([NOWHERE, "--json", "no/such/folder/r.json"], "its folder does not exist"),
        ([NOWHERE, "--json", "-", "--markdown", "-"], "only one format"),
        ([NOWHERE, "--baseline", "nowhere.json"], "nowhere.json: cannot be read"),
        ([NOWHERE, "--baseline", "."], "report.json: cannot be read"),
        ([NOWHERE, "--resume"], "was ended early"),
        ([NOWHERE, "--resume", "nothing-here"], "holds no run"),
    ],
)
def test_one_line_says_what_was_wrong(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "validate", *words)
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert err.startswith("envassay: ")
    assert code == (2 if words[:1] in (["ftp://x"], ["localhost:8000"]) else 3)
    assert not list(tmp_path.glob(".envassay/runs/*"))


def test_nothing_there_ends_with_2_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = run(capsys, "validate", NOWHERE, "--home", str(tmp_path / "home"))
    assert (code, out) == (2, "")
    assert "127.0.0.1:9" in err
    assert err.count("\n") == 1
    assert not list((tmp_path / "home").rglob("*.json*"))


def test_a_secret_is_never_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    secret = "hf_abcdefghijk"
    for words in (
        [f"http://user:{secret}@localhost:1"],
        [f"http://localhost:1/?token={secret}"],
        [NOWHERE, "--header", f"Authorization: Bearer {secret}\x01"],
        [NOWHERE, "--header", f"Host: {secret}"],
        [NOWHERE, "--header", f"Authorization: Bearer {secret}"],
    ):
        code, out, err = run(capsys, "validate", *words, "--home", str(tmp_path))
        assert code in (2, 3)
        assert secret not in out + err, words
        for path in tmp_path.rglob("*"):
            assert not path.is_file() or secret.encode() not in path.read_bytes()


@pytest.mark.parametrize("command", ["validate http://localhost:1", "calibrate", "demo"])
def test_what_may_harm_is_only_done_where_the_flag_allows_it(command: str) -> None:
    for words, allowed in (
        (command.split(), False),
        ([*command.split(), "--allow-intrusive"], True),
    ):
        args = build_parser().parse_args(words)
        assert settings_of(args, Path(), Manifest()).allow_intrusive is allowed


def test_no_command_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys)
    assert code == 3
    assert "validate" in out


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.metadata import version

    assert run(capsys, "--version") == (0, f"envassay {version('envassay')}\n", "")


@pytest.mark.parametrize("command", ["validate", "rank", "dashboard", "demo"])
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, err = run(capsys, command, "--help")
    assert (code, err) == (0, "")
    assert f"envassay {command}" in out


def test_rank_of_a_file_that_is_no_report(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "r.json"
    for text, said in (("{}", "no report"), ("\xff", "no report"), (None, "cannot be read")):
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
        code, _, err = run(capsys, "rank", str(path))
        assert code == 3
        assert said in err
        assert err.count("\n") == 1


def test_rank_of_an_empty_store_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "rank", "--home", str(tmp_path / "none"))
    assert code == 0
    assert "No environment" in out
    assert not (tmp_path / "none").exists()


def test_default_stands_for_the_default_probes(tmp_path: Path) -> None:
    def probes(*words: str) -> tuple[str, ...]:
        args = build_parser().parse_args(["validate", NOWHERE, *words])
        return settings_of(args, tmp_path, Manifest()).probes

    named = probes()
    assert named[:2] == ("noop", "empty")
    assert {"random", "reactive", "shotgun"} <= {*named}
    assert probes("--probes", "mine, default,random") == ("mine", *named)
    assert probes("--probes", "noop,noop") == ("noop",)
