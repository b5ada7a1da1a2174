"""What a user installs: our rooms and their data, and nothing else."""

import csv
import io
import json
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("validator", "metrics", "probes", "reports", "dashboard")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as an index would serve it."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> dict[str, str]:
    """Return the files of the wheel's own description by their last name."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            Path(name).name: archive.read(name).decode()
            for name in archive.namelist()
            if ".dist-info/" in name
        }


def tracked(room: str) -> Iterator[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", room],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return (name for name in listed.stdout.split("\0") if name and (ROOT / name).exists())


def test_the_rooms_and_nothing_else_are_in_it(names: list[str]) -> None:
    tops = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_whole(names: list[str], room: str) -> None:
    missing = set(tracked(room)) - set(names)
    assert missing == set()


def test_data_that_is_read_at_run_time_is_in_it(names: list[str]) -> None:
    policies = {f"validator/policy/files/{p.name}" for p in ROOT.glob("validator/policy/files/*")}
    assert any(name.endswith("author.toml") for name in policies)
    assert policies | {"reports/report.schema.json"} <= set(names)


def test_the_licence_comes_along(metadata: dict[str, str]) -> None:
    assert metadata["LICENSE"] == (ROOT / "LICENSE").read_text("utf-8")


def test_what_it_registers_is_in_it(names: list[str], metadata: dict[str, str]) -> None:
    lines = [line for line in metadata["entry_points.txt"].splitlines() if "=" in line]
    modules = {line.partition("=")[2].strip().partition(":")[0] for line in lines}
    assert "validator.cli.main" in modules
    files = {module.replace(".", "/") + ".py" for module in modules}
    assert files - set(names) == set()


def test_its_record_lists_every_file(names: list[str], metadata: dict[str, str]) -> None:
    recorded = {row[0] for row in csv.reader(io.StringIO(metadata["RECORD"]))}
    assert recorded == set(names)


def test_in_a_clean_environment_each_room_is_ours(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "clean", symlinks=True)
    [site] = (tmp_path / "clean").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    code = (
        "import json\n"
        "from importlib.metadata import version\n"
        "from importlib.util import find_spec\n"
        f"rooms = {{room: find_spec(room).origin for room in {ROOMS!r}}}\n"
        "print(json.dumps([rooms, version('envassay')]))"
    )
    ended = subprocess.run(
        [tmp_path / "clean" / "bin" / "python", "-I", "-c", code],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    rooms, version = json.loads(ended.stdout)
    assert rooms == {room: str(site / room / "__init__.py") for room in ROOMS}
    assert f"-{version}-" in wheel.name


@pytest.mark.parametrize("room", ROOMS)
def test_beside_its_dependencies_each_room_is_ours(room: str) -> None:
    spec = find_spec(room)
    assert spec is not None
    assert spec.origin == str(ROOT / room / "__init__.py")
    assert set(packages_distributions().get(room, [])) <= {"envassay"}
