"""Files that a user or a repository names are read up to a size, and never break the command."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from validator.cli.main import main
from validator.errors import SettingsError
from validator.operator_file import read_file, read_text

COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "policy": lambda file: ["policy", "check", file],
    "manifest": lambda file: ["manifest", "check", file],
    "report": lambda file: ["gate", file],
    "baseline": lambda file: ["gate", file, "--baseline", file],
    "merge": lambda file: ["gate", file, "--merge", file],
    "gate's policy": lambda file: ["gate", "none.json", "--policy", file],
    "export": lambda file: ["export", file, "--rfc008"],
    "signature": lambda file: ["verify", file, "--key", file, "--signature", file],
    "key": lambda file: ["sign", file, "--key", file],
}
CONTENTS: dict[str, bytes] = {
    "nothing": b"",
    "not text": b"\xff\xfe\x00",
    "deep lists": b"x = " + b"[" * 50_000,
    "deep JSON": b"[" * 50_000,
    "deep objects": b'{"a":' * 20_000,
    "deep keys": b".".join([b"a"] * 4000) + b" = 1",
    "a key of control characters": b'"\\u001b[31m\\n" = 1',
    "a number without end": b"version = " + b"9" * 20_000,
    "JSON of another kind": b'[{"report_version": "7", "results": [null]}]',
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_what_is_no_such_file_is_one_line_and_exit_code_3(
    tmp_path: Path,
    command: Callable[[str], list[str]],
    content: bytes,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "given"
    file.write_bytes(content)
    assert main(command(str(file))) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("envassay: ")
    assert "fault of our own" not in err
    assert "\x1b" not in err


def test_an_endless_device_is_read_no_further_than_allowed() -> None:
    with pytest.raises(SettingsError, match="/dev/zero: is larger than 64 KiB"):
        read_file(Path("/dev/zero"), most=2**16, do="Name a file.")


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 1024)
    assert read_text(file, most=1024, do="") == "x" * 1024
    with pytest.raises(SettingsError, match="is larger than 0 KiB"):
        read_file(file, most=1023, do="")


def test_a_report_of_another_version_says_which(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.json"
    file.write_text(json.dumps({"report_version": "7"}))
    assert main(["gate", str(file)]) == 3
    assert "is no report of this version (report_version is '7')" in capsys.readouterr().err
