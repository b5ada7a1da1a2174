"""A report of another validator is taken in: the surer answer counts, then the worse."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from reports.merging import load_foreign, merged
from reports.model import Status
from tests.reports.builders import HOSTILE, check, worth_training


def foreign(**statuses: Status) -> str:
    """Return a report of `openenv validate`, its answers by the last part of their ids."""
    results: list[dict[str, Any]] = [
        {
            "check_id": name.replace("__", "."),
            "status": status,
            "measured": {"errors": 2, "kind": "x", "flag": True},
            "evidence": ["first line", HOSTILE],
            "remediation": "mend it",
            "duration_s": 0.5,
        }
        for name, status in statuses.items()
    ]
    return json.dumps(
        {
            "report_schema_version": "2",
            "target": "envs/maze",
            "source_digest": "ab" * 32,
            "signature": "openenv.yaml",
            "manifest": None,
            "policy_version": "v2",
            "lane": "local",
            "levels_run": [1],
            "results": results,
            "verdict": "warn",
        }
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "status", "asked_by"),
    [
        ("skip", "pass", "pass", "openenv validate"),
        ("skip", "fail", "fail", "openenv validate"),
        ("pass", "skip", "pass", ""),
        ("pass", "fail", "fail", "openenv validate"),
        ("fail", "pass", "fail", ""),
        ("fail", "fail", "fail", ""),
        ("pass", "error", "error", "openenv validate"),
    ],
)
def test_of_two_answers_the_surer_and_worse_counts(
    ours: Status, theirs: Status, status: str, asked_by: str
) -> None:
    report = worth_training().model_copy(update={"results": [check("runtime.startup", ours)]})
    [result] = merged(report, load_foreign(foreign(runtime__startup=theirs))).results
    assert (result.status, result.asked_by) == (status, asked_by)


def test_what_only_they_answered_comes_along_and_is_named() -> None:
    found = merged(worth_training(), load_foreign(foreign(static__sbom="fail")))
    result = found.results[-1]
    assert (result.id, result.status, result.reason) == ("static.sbom", "fail", "first line")
    assert {name: one.estimate for name, one in result.measured.items()} == {"errors": 2.0}
    assert result.findings[0].do == "mend it"
    assert "\x1b" not in result.findings[0].saw
    [taken] = found.merged
    assert (taken.tool, taken.target, taken.checks) == (
        "openenv validate",
        "envs/maze",
        ["static.sbom"],
    )


@pytest.mark.parametrize("change", [{"verdict": "great"}, {"extra": 1}, {"results": [{}]}])
def test_what_is_no_such_report_is_refused(change: dict[str, Any]) -> None:
    document = json.loads(foreign()) | change
    with pytest.raises(ValidationError):
        load_foreign(json.dumps(document))
