"""A run's folder on its way between nodes, and faults on theirs."""

import io
import pickle
import tarfile
from pathlib import Path

import pytest

from validator.engines.ray import packed, unpack
from validator.errors import EnvassayError, OwnFault, SettingsError, UnsafeTarget


def test_a_folder_comes_out_as_it_went_in(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    (one / "episodes").mkdir(parents=True)
    (one / "episodes" / "tail.jsonl").write_bytes(b"\x00\xff{}\n")
    (one / "run.json").write_text("{}")
    unpack(packed(one), other)
    found = {str(p.relative_to(other)): p.read_bytes() for p in other.rglob("*") if p.is_file()}
    assert found == {"episodes/tail.jsonl": b"\x00\xff{}\n", "run.json": b"{}"}
    assert packed(tmp_path / "gone") == b""


def test_nothing_is_written_outside_the_folder(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("../escaped"))
    with pytest.raises(tarfile.OutsideDestinationError):
        unpack(buffer.getvalue(), tmp_path / "folder")
    assert not (tmp_path / "escaped").exists()


@pytest.mark.parametrize(
    "fault",
    [
        SettingsError("is wrong", where="--flag", do="Mend it."),
        UnsafeTarget("leads away", where="http://a", do="Do not."),
        OwnFault(ZeroDivisionError("division"), where="http://a"),
    ],
)
def test_a_fault_says_the_same_in_another_process(fault: EnvassayError) -> None:
    fault.exit_code = 7
    again = pickle.loads(pickle.dumps(fault))
    assert type(again) is type(fault)
    assert (str(again), again.where, again.do, again.exit_code) == (
        str(fault), fault.where, fault.do, 7,
    )  # fmt: skip
