"""RFC 008's policies are RFC 008's own, and our reports in its form are what its models accept."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from reports.model import dump
from reports.signing import sealed
from tests.reports.builders import everything
from validator.cli.main import main
from validator.policy.model import read_policy

PYTHON = Path(__file__).resolve().parents[3] / ".servers" / "openenv-0.10.0" / "bin" / "python"

pytestmark = pytest.mark.servers

READ = """
import json, sys
from openenv.validation.policy import apply_policy, load_policy
from openenv.validation.report import ValidationReportV2
from openenv.validation.types import Lane
answers = []
for text in json.load(sys.stdin):
    report = ValidationReportV2.model_validate_json(text)
    policy = load_policy(report.policy_version)
    answers.append({
        "stated": report.verdict.value,
        "reached": apply_policy(report.results, policy, Lane.HUB).value,
        "ids": sorted(result.check_id for result in report.results),
        "asked": sorted(policy.entries_for_lane(Lane.HUB)),
    })
print(json.dumps(answers))
"""
ENTRIES = """
import json
from openenv.validation.policy import load_policy
print(json.dumps({
    version: {entry.check_id: entry.severity.value for entry in load_policy(version).entries}
    for version in ("v1", "v2")
}))
"""


def ask(script: str, text: str = "") -> Any:
    ended = subprocess.run(
        [PYTHON, "-c", script], input=text, capture_output=True, text=True, check=True, timeout=120
    )
    return json.loads(ended.stdout)


def test_the_severities_are_those_of_the_reference() -> None:
    theirs = ask(ENTRIES)
    for version in ("v1", "v2"):
        policy = read_policy(f"rfc008-{version}")
        assert policy.severities | policy.external == theirs[version]


def test_the_reference_accepts_our_reports_and_reaches_our_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for report in everything():
        path = tmp_path / "report.json"
        path.write_text(dump(sealed(report)), encoding="utf-8")
        assert main(["export", str(path), "--rfc008"]) == 0
        texts.append(capsys.readouterr().out)
    for found in ask(READ, json.dumps(texts)):
        assert found["stated"] == found["reached"]
        assert found["ids"] == found["asked"]


def test_a_report_of_the_reference_joins_our_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package, theirs = tmp_path / "maze", tmp_path / "theirs.json"
    package.mkdir()
    (package / "openenv.yaml").write_text(
        "name: maze\nversion: '1'\nvalidation:\n"
        "  reward: {range: [0.0, 1.0], floor_margin: 0.01}\n"
        "  resources: {cpu: 1, memory_mb: 256, disk_mb: 64, episode_timeout_s: 60}\n"
        "  capabilities: {verifier: {kind: reward_channel}}\n"
        "  types: {tags: [maze]}\n"
    )
    command = [PYTHON.with_name("openenv"), "validate", package, "--level", "semantic"]
    subprocess.run(
        [*command, "--skip-build", "--output", theirs],
        capture_output=True,
        timeout=120,
        check=False,
    )
    ours = tmp_path / "report.json"
    ours.write_text(dump(sealed(everything()[2])), encoding="utf-8")
    words = ["gate", str(ours), "--policy", "rfc008-v2", "--merge", str(theirs)]
    assert main([*words, "--json", "-"]) == 1
    found = {one["id"]: one for one in json.loads(capsys.readouterr().out)["results"]}
    assert (found["static.manifest"]["status"], found["static.manifest"]["asked_by"]) == (
        "fail",
        "openenv validate",
    )
    assert found["runtime.startup"]["status"] == "pass"
    assert main(["export", str(ours), "--rfc008", "--merge", str(theirs)]) == 0
    exported = capsys.readouterr().out
    [read] = ask(READ, json.dumps([exported]))
    assert read["stated"] == read["reached"] == "fail"
    digest = json.loads(theirs.read_text())["source_digest"]
    assert json.loads(exported)["source_digest"] == digest
