"""RFC 008's policies are RFC 008's own, and our reports in its form are what its models accept."""

import json
import subprocess
from pathlib import Path

import pytest

from reports.model import dump
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
report = ValidationReportV2.model_validate_json(sys.stdin.read())
policy = load_policy(report.policy_version)
print(json.dumps({
    "stated": report.verdict.value,
    "reached": apply_policy(report.results, policy, Lane.HUB).value,
    "ids": [result.check_id for result in report.results],
    "asked": sorted(policy.entries_for_lane(Lane.HUB)),
}))
"""
ENTRIES = """
import json
from openenv.validation.policy import load_policy
print(json.dumps({
    version: {entry.check_id: entry.severity.value for entry in load_policy(version).entries}
    for version in ("v1", "v2")
}))
"""


def ask(script: str, text: str = "") -> dict[str, object]:
    ended = subprocess.run(
        [PYTHON, "-c", script], input=text, capture_output=True, text=True, check=True, timeout=120
    )
    found: dict[str, object] = json.loads(ended.stdout)
    return found


def test_the_severities_are_those_of_the_reference() -> None:
    theirs = ask(ENTRIES)
    for version in ("v1", "v2"):
        policy = read_policy(f"rfc008-{version}")
        assert policy.severities | policy.external == theirs[version]


@pytest.mark.parametrize("number", range(4), ids=["fails", "open", "healthy", "hostile"])
def test_the_reference_accepts_our_report_and_reaches_our_verdict(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    path.write_text(dump(everything()[number]), encoding="utf-8")
    assert main(["export", str(path), "--rfc008"]) == 0
    found = ask(READ, capsys.readouterr().out)
    assert found["stated"] == found["reached"]
    assert sorted(found["ids"]) == found["asked"]  # type: ignore[call-overload]
