"""What a labelled environment is to be compared with, and what counts as found."""

from pathlib import Path

import pytest

from tests.validator.judging import judge as validate
from tests.validator.memory import Guess
from validator.calibration import judge, read_labelled
from validator.errors import SettingsError


def labelled(folder: Path, text: str):
    path = folder / "one.yaml"
    path.write_text(text, "utf-8")
    return read_labelled(path, "hub/one")


def test_a_label_file_names_twin_and_baseline(tmp_path: Path) -> None:
    found = labelled(
        tmp_path,
        "labels: {must: [hub.cross_host_determinism], may: [], never: []}\n"
        "twin: hub/one\nbaseline: hub/other\nmanifest: {envassay: {horizon: 3}}\n",
    )
    assert (found.twin, found.baseline, found.group) == ("hub/one", "hub/other", "hub")
    assert found.manifest.envassay.horizon == 3
    plain = labelled(tmp_path, "labels: {must: [], may: [], never: '*'}\n")
    assert (plain.twin, plain.baseline) == ("", "")


def test_a_file_without_labels_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no label file"):
        labelled(tmp_path, "manifest: {}\n")


def test_what_was_not_found_is_missed(tmp_path: Path) -> None:
    found = labelled(tmp_path, "labels: {must: [hub.immutable_versioning], may: [], never: []}\n")
    judged = judge(found, validate(Guess, tmp_path), 1.0)
    assert judged.missed == {"hub.immutable_versioning"}
    assert "no earlier report" in judged.reasons["hub.immutable_versioning"]


def test_a_label_file_names_the_agents_that_play(tmp_path: Path) -> None:
    head = "labels: {must: [], may: [], never: '*'}\n"
    found = labelled(
        tmp_path, head + "harnesses: {clerk: {solver: a.py:solve, starts: 4, repeats: 2}}\n"
    )
    clerk = found.harnesses["clerk"]
    assert (clerk.starts, clerk.repeats) == (4, 2)
    assert clerk.command[1:] == [
        str(tmp_path.parent / "agent.py"),
        str(tmp_path / "a.py:solve"),
    ]
    with pytest.raises(SettingsError, match="harnesses that cannot be read"):
        labelled(tmp_path, head + "harnesses: {clerk: {starts: 4}}\n")
