"""Files of targets: what is read, and how each fault in one is named."""

from pathlib import Path

import pytest

from validator.errors import SettingsError
from validator.target_list import MOST_BYTES, Listed, read_targets


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "targets.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_line_is_an_address_and_perhaps_a_manifest_beside_the_list(tmp_path: Path) -> None:
    (tmp_path / "two words.yaml").write_text("envassay: {}\n")
    path = written(tmp_path, "# ours\nhttp://a:1\n\n  https://b/env\ttwo words.yaml \nhttp://a:1\n")
    assert read_targets(path) == (
        Listed(url="http://a:1"),
        Listed(url="https://b/env", manifest=tmp_path / "two words.yaml"),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("http://a\nb:8000\n", "line 2: no scheme in it"),
        ("http://a gone.yaml\n", "line 1: the manifest"),
        ("http://a m.yaml\nhttp://a\n", "line 2: http://a is listed with two manifests"),
        ("# nothing\n", "names no target"),
        (b"\xff\xfe", "cannot be read (UnicodeDecodeError)"),
        ("#" * (MOST_BYTES + 1), "is too large"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, text: str | bytes, told: str) -> None:
    (tmp_path / "m.yaml").write_text("envassay: {}\n")
    with pytest.raises(SettingsError) as raised:
        read_targets(written(tmp_path, text))
    assert told in str(raised.value)


def test_a_password_in_an_address_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as raised:
        read_targets(written(tmp_path, "http://me:secret@a:1\n"))
    assert "secret" not in str(raised.value)
