"""The locks pin everything by hash, name no place, and hold what is declared."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PIN = re.compile(r"([A-Za-z0-9._-]+)(?:\[[a-z0-9,-]+\])?==([^ ]+)(?: ; .+)?")


def pins(path: Path) -> dict[str, list[str]]:
    """Return the pinned versions by name; one name may have several, by Python version."""
    found: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if match := PIN.match(line):
            found.setdefault(canonicalize_name(match[1]), []).append(match[2])
    return found


def declared() -> list[Requirement]:
    """Return every requirement of pyproject.toml but those on the project itself."""
    document: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = document["project"]
    texts = [
        *project["dependencies"],
        *(text for extra in project["optional-dependencies"].values() for text in extra),
        *(text for group in document["dependency-groups"].values() for text in group),
        *document["build-system"]["requires"],
    ]
    found = [Requirement(text) for text in texts]
    return [one for one in found if canonicalize_name(one.name) != project["name"]]


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_a_lock_holds_versions_and_hashes_and_no_address(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(pins(path)) >= 1
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        assert re.fullmatch(rf"{PIN.pattern} \\|    --hash=sha256:[0-9a-f]{{64}}( \\)?", line), line
        assert line.endswith("\\") == following.startswith("    --hash"), line


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_what_is_declared_is_pinned(requirement: Requirement) -> None:
    name = canonicalize_name(requirement.name)
    own = ROOT / "requirements" / f"{name}.lock"
    lock = own if own.exists() else ROOT / "requirements" / "dev.lock"
    versions = pins(lock).get(name)
    assert versions, "run `make lock`"
    assert all(requirement.specifier.contains(version) for version in versions), "run `make lock`"


@pytest.mark.parametrize("name", ["openenv-0.10.0", "openenv-core-0.3.0", "openenv-core-0.2.3"])
def test_a_server_is_of_the_version_in_its_name(name: str) -> None:
    package, _, version = name.rpartition("-")
    assert pins(ROOT / "requirements" / f"{name}.lock")[package] == [version]
