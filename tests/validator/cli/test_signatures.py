"""A signed report is believed as it was signed, and in no other form."""

import json
import stat
from pathlib import Path

import pytest

from reports.model import dump
from reports.signing import sealed
from tests.reports.builders import worth_training
from validator.cli.main import main


@pytest.fixture
def signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a report beside its signature and a key pair `k`, `k.pub`."""
    path = tmp_path / "report.json"
    path.write_text(dump(sealed(worth_training())), encoding="utf-8")
    assert main(["sign", str(path), "--key", str(tmp_path / "k"), "--new-key"]) == 0
    capsys.readouterr()
    return path


def verified(report: Path, key: str = "k.pub") -> int:
    return main(["verify", str(report), "--key", str(report.parent / key)])


def test_what_was_signed_is_verified(signed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(signed) == 0
    assert "maze http://127.0.0.1:8001: pass" in capsys.readouterr().out
    mode = stat.S_IMODE((signed.parent / "k").stat().st_mode)
    assert mode == 0o600


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"status": "pass"', '"status": "fail"'),
        ('"seconds": 18.4', '"seconds": 1.4'),
        ("\n", "\n "),
    ],
    ids=["verdict", "times", "blanks"],
)
def test_any_change_is_refused_in_one_line(
    signed: Path, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    signed.write_text(signed.read_text().replace(old, new, 1))
    assert verified(signed) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "is not what was signed with that key" in err
    assert err.count("\n") == 1


def test_another_key_is_refused(signed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = signed.parent / "o.json"
    other.write_text(signed.read_text())
    assert main(["sign", str(other), "--key", str(signed.parent / "k2"), "--new-key"]) == 0
    assert verified(signed, "k2.pub") == 3
    assert "is not what was signed" in capsys.readouterr().err


def test_a_signature_of_another_form_is_refused(
    signed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = signed.with_name("report.json.sig")
    place.write_text(json.dumps(json.loads(place.read_text()) | {"format": "x"}))
    assert verified(signed) == 3
    assert "is no signature of this version" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"])
def test_what_is_no_key_is_refused(
    signed: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (signed.parent / "bad").write_text(text)
    assert verified(signed, "bad") == 3
    assert "is no Ed25519 public key" in capsys.readouterr().err


def test_no_key_is_overwritten(signed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (signed.parent / "k").read_bytes()
    assert main(["sign", str(signed), "--key", str(signed.parent / "k"), "--new-key"]) == 3
    assert (signed.parent / "k").read_bytes() == before


def test_a_tampered_report_is_not_signed(signed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    signed.write_text(signed.read_text().replace('"maze"', '"cave"'))
    assert main(["sign", str(signed), "--key", str(signed.parent / "k")]) == 3
    assert "was changed" in capsys.readouterr().err


def test_a_link_where_the_signature_goes_is_not_followed(signed: Path) -> None:
    other, place = signed.parent / "other", signed.with_name("report.json.sig")
    other.write_text("mine")
    place.unlink()
    place.symlink_to(other)
    assert main(["sign", str(signed), "--key", str(signed.parent / "k")]) == 0
    assert other.read_text() == "mine"
    assert verified(signed) == 0


def test_no_half_of_a_key_is_left_where_the_other_cannot_be_written(signed: Path) -> None:
    half = signed.parent / "half"
    half.with_name("half.pub").mkdir()
    assert main(["sign", str(signed), "--key", str(half), "--new-key"]) == 3
    assert not half.exists()
