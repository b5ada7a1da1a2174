"""The hash is over the evidence: any change of it shows, and nothing else does."""

import json
from typing import Any

import pytest

from reports.model import dump, load
from reports.signing import evidence_hash, is_intact, sealed
from tests.reports.builders import everything, times, worth_training


@pytest.mark.parametrize("report", everything(), ids=lambda report: report.target.url)
def test_a_sealed_report_comes_back_intact(report: Any) -> None:
    assert is_intact(load(dump(sealed(report))))
    assert not is_intact(report)


@pytest.mark.parametrize(
    "path",
    [
        ("target", "name"),
        ("results", 0, "status"),
        ("results", 0, "reason"),
        ("headline", "signal", "estimate"),
        ("ladder", 1, "mean_score", "low"),
        ("tasks", 0, "scored"),
        ("settings", "seed"),
        ("ledger", "scored"),
    ],
)
def test_a_change_of_evidence_shows(path: tuple[str | int, ...]) -> None:
    document = json.loads(dump(sealed(worth_training())))
    place: Any = document
    for part in path[:-1]:
        place = place[part]
    old = place[path[-1]]
    place[path[-1]] = "skip" if old == "pass" else f"{old}x" if isinstance(old, str) else old + 1
    assert not is_intact(load(json.dumps(document)))


def test_times_verdict_and_severity_are_no_evidence() -> None:
    report = worth_training()
    other = report.model_copy(
        update={
            "times": times(seconds=99.0),
            "run": "another",
            "verdict": report.verdict.model_copy(update={"status": "fail"}),
            "results": [one.model_copy(update={"severity": "warn"}) for one in report.results],
        }
    )
    assert evidence_hash(other) == evidence_hash(report)


def test_a_field_that_a_later_version_adds_breaks_no_seal() -> None:
    report = sealed(worth_training())
    document = report.model_dump(mode="json", exclude_defaults=True)
    assert set(document) < set(json.loads(dump(report)))
    assert is_intact(load(json.dumps(document)))
