"""A run folder goes on only with the run it holds, and files are whole or not there."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from validator.errors import SettingsError
from validator.manifest import Manifest, parse_manifest
from validator.policy.model import read_policy
from validator.recording import Recording, write_whole
from validator.rollouts.budget import PRESETS
from validator.settings import Settings
from validator.targets.base import About

ABOUT = About(url="http://a:1", driver="websocket", name="a", fingerprint="f")


def settings(folder: Path) -> Settings:
    return Settings(
        budget=PRESETS["quick"], policy=read_policy("author"), manifest=Manifest(), folder=folder
    )


def test_the_same_run_goes_on(tmp_path: Path) -> None:
    told = settings(tmp_path / "run")
    with Recording.open(told, ABOUT) as first:
        assert first.store.kept == frozenset()
    with Recording.open(told, ABOUT) as again:
        assert again.store.path == first.store.path


@pytest.mark.parametrize(
    ("change", "about", "said"),
    [
        ({"seed": 1}, {}, "seed was 0, now 1"),
        ({"budget": PRESETS["deep"]}, {}, "budget was 'quick', now 'deep'"),
        ({"group_size": 4}, {}, "group_size"),
        ({"probes": ("noop",)}, {}, "probes"),
        ({"max_steps": 3}, {}, "max_steps"),
        ({"allow_intrusive": True}, {}, "allow_intrusive was False, now True"),
        ({"manifest": parse_manifest({"envassay": {"score": "max"}}, where="x")}, {}, "manifest"),
        ({}, {"url": "http://b:1"}, "target was 'http://a:1', now 'http://b:1'"),
        ({}, {"fingerprint": "g"}, "the environment has changed since"),
    ],
)
def test_another_run_is_refused_with_what_differs(
    tmp_path: Path, change: dict[str, Any], about: dict[str, Any], said: str
) -> None:
    told = settings(tmp_path / "run")
    with Recording.open(told, ABOUT):
        pass
    with pytest.raises(SettingsError) as caught:
        Recording.open(replace(told, **change), replace(ABOUT, **about))
    assert said in str(caught.value)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot be written"):
        Recording.open(settings(tmp_path / "file" / "run"), ABOUT)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text() == "old"
    write_whole(path, "new\n")
    assert path.read_bytes() == b"new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_that_lies_in_the_place_is_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("mine")
    for name in ("report.json", ".report.json.part"):
        (tmp_path / name).symlink_to(kept)
    write_whole(tmp_path / "report.json", "new\n")
    assert kept.read_text() == "mine"
    assert (tmp_path / "report.json").read_text() == "new\n"


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "told\n")
        assert os.read(reading, 100) == b"told\n"
    finally:
        os.close(reading)
    assert pipe.is_fifo()


def test_two_who_write_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    texts = [str(n) * 100_000 for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: write_whole(path, text), texts))
    assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]
