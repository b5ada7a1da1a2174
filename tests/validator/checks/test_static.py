"""What is declared is held to what RFC 008 asks of a declaration."""

import copy
from pathlib import Path
from typing import Any

import pytest

from reports.model import CheckResult
from tests.validator.judging import decided
from tests.validator.memory import Guess
from validator.manifest import parse_manifest
from validator.rfc_block import faults_of

COMPLETE: dict[str, Any] = {
    "reward": {"range": [0.0, 1.0], "floor_margin": 0.1},
    "resources": {"cpu": 1, "memory_mb": 512, "disk_mb": 512, "episode_timeout_s": 300},
    "capabilities": {"verifier": {"kind": "reward_channel"}},
    "types": {"tags": ["puzzle"]},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the complete block with one place set, or taken out where the value is `...`."""
    block = copy.deepcopy(COMPLETE)
    *parents, last = path.split(".")
    section = block
    for name in parents:
        section = section.setdefault(name, {})
    if value is ...:
        del section[last]
    else:
        section[last] = value
    return block


def static(check_id: str, folder: Path, block: dict[str, Any] | None) -> CheckResult:
    document = {} if block is None else {"validation": block}
    return decided(check_id, Guess, folder, manifest=parse_manifest(document, where="test"))


# The block as a whole.


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        ("reward.floor_margin", ..., "reward.floor_margin"),
        ("reward.floor_margin", 0.05, "reward.floor_margin"),
        ("reward.oracle_tolerance", 0.2, "reward.oracle_tolerance"),
        ("reward.variance_tolerance", 0.3, "reward.variance_tolerance"),
        ("resources", ..., "resources"),
        ("resources.cpu", 0, "resources.cpu"),
        ("resources.cpu", True, "resources.cpu"),
        ("resources.disk_mb", ..., "resources.disk_mb"),
        ("resources.episode_timeout_s", 3601, "resources.episode_timeout_s"),
        ("resources.gpu_types", ["h100"], "resources"),
        ("capabilities", ..., "capabilities"),
        ("capabilities.verifier", ..., "capabilities.verifier"),
        ("capabilities.verifier.kind", "mood", "capabilities.verifier.kind"),
        ("capabilities.verifier.kind", "script", "capabilities.verifier"),
        ("capabilities.verifier.entry", "verify.py", "capabilities.verifier"),
        ("capabilities.oracle", {"form": "script"}, "capabilities.oracle.location"),
        (
            "capabilities.oracle",
            {"form": "injected_state", "location": "o.json"},
            "capabilities",
        ),
        ("capabilities.llm_judged", True, ""),
        ("types.tags", [], "types.tags"),
        ("types", ..., "types"),
        ("judge", {"model": "m", "version": "1"}, ""),
        ("network", {"mode": "offline"}, "network.mode"),
        ("network", {"mode": "public", "allowed_hosts": ["a.example"]}, "network"),
        ("signature", "readme", "signature"),
        ("manifest_schema_version", "3", "manifest_schema_version"),
        ("task_distribution", {"seed": 1}, "task_distribution.seed"),
    ],
)
def test_each_fault_is_found_at_its_place(path: str, value: Any, fault: str) -> None:
    assert [found.path for found in faults_of(changed(path, value))] == [fault]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("reward.floor_margin", 0.1),
        ("reward.oracle_tolerance", 0.1),
        ("resources.episode_timeout_s", 3600),
        ("resources.gpus", 2),
        ("capabilities.verifier", {"kind": "script", "entry": "verify.py"}),
        ("network", {"mode": "allowlist", "allowed_hosts": ["a.example"]}),
        ("task_distribution", {"generator_seed": 0, "dataset_version": "1"}),
        ("execution", {"kind": "openenv_ws"}),
    ],
)
def test_what_the_rfc_allows_is_no_fault(path: str, value: Any) -> None:
    assert faults_of(COMPLETE) == []
    assert faults_of(changed(path, value)) == []


def test_a_judged_environment_needs_its_judge_and_a_tolerance() -> None:
    block = changed("capabilities.llm_judged", True)
    assert "judge" in faults_of(block)[0].what
    block["judge"] = {"model": "m", "version": "1"}
    assert "reward.variance_tolerance" in faults_of(block)[0].what
    block["reward"]["variance_tolerance"] = 0.2
    assert faults_of(block) == []


def test_an_incomplete_block_fails_place_by_place(tmp_path: Path) -> None:
    found = static("static.manifest", tmp_path, {"reward": {"range": [0, 1]}})
    assert found.status == "fail"
    assert found.reason.startswith("4 places")
    assert [f.where.rpartition(".")[2] for f in found.findings] == [
        "floor_margin",
        "resources",
        "capabilities",
        "types",
    ]
    assert found.findings[1].saw == "nothing"


def test_a_complete_block_passes_and_none_is_no_failure(tmp_path: Path) -> None:
    assert static("static.manifest", tmp_path / "a", COMPLETE).status == "pass"
    found = static("static.manifest", tmp_path / "b", None)
    assert found.status == "skip"
    assert "floor_margin: 0.1" in found.needed


# The time of an episode.


@pytest.mark.parametrize(
    ("seconds", "status"),
    [(3600, "pass"), (3600.5, "fail"), (90_000, "fail"), (..., "skip"), (True, "skip")],
)
def test_the_time_of_an_episode_has_a_ceiling(tmp_path: Path, seconds: Any, status: str) -> None:
    block = changed("resources.episode_timeout_s", seconds)
    found = static("static.timeout_ceiling", tmp_path, block)
    assert found.status == status
    if status == "skip":
        assert "episode_timeout_s: 300" in found.needed
    else:
        assert found.measured["episode_timeout_s"].estimate == seconds


# Where the tasks come from.


@pytest.mark.parametrize(
    ("section", "status", "saying"),
    [
        ({"generator_seed": 0}, "pass", "generator_seed 0"),
        ({"dataset_version": "v1.2.0"}, "pass", "dataset_version v1.2.0"),
        ({"dataset_version": "2026-05-01", "generator_model": "tiny-7b@3f2a"}, "pass", "tiny"),
        ({"dataset_version": "domain"}, "pass", "domain"),
        ({"dataset_version": "maintenance-4"}, "pass", "maintenance-4"),
        (None, "skip", "nothing says"),
        ({}, "fail", "no pin"),
        ({"generator_seed": None, "dataset_version": None}, "fail", "no pin"),
        ({"generator_seed": True}, "fail", "True"),
        ({"generator_seed": 0.5}, "fail", "0.5"),
        ({"dataset_version": "main"}, "fail", "main"),
        ({"dataset_version": "refs/heads/master"}, "fail", "master"),
        ({"dataset_version": "HEAD"}, "fail", "HEAD"),
        ({"dataset_version": ">=1.2"}, "fail", ">=1.2"),
        ({"dataset_version": "1.*"}, "fail", "1.*"),
        ({"dataset_version": ""}, "fail", "''"),
        ({"dataset_version": "1", "generator_model": "writer-latest"}, "fail", "writer-latest"),
        (["1"], "fail", "no pin"),
    ],
)
def test_a_pin_is_one_that_holds(tmp_path: Path, section: Any, status: str, saying: str) -> None:
    block = changed("task_distribution", section)
    found = static("static.task_distribution_pinning", tmp_path, block)
    assert found.status == status
    assert saying in found.reason
    assert ("dataset_version" in found.needed) == (status == "skip")
