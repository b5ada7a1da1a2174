"""Takes another validator's report in, so that one verdict covers both."""

import math
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from reports.model import CheckId, CheckResult, Finding, Measure, Merged, Report, Status
from reports.safe import plain

TOOL = "openenv validate"
SURE: dict[Status, int] = {"skip": 0, "pass": 1, "fail": 2, "error": 3}
"""Of two answers to one question the surer and the worse one counts."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ForeignResult(_Part):
    """One answer, in RFC 008's words."""

    check_id: CheckId
    status: Status
    measured: dict[str, JsonValue] = {}
    evidence: list[str] = []
    remediation: str | None = None
    duration_s: float


class ForeignReport(_Part):
    """A report of RFC 008, version 1 or 2, as `openenv validate` writes it."""

    report_schema_version: Literal["1", "2"]
    target: str
    source_digest: str
    signature: str
    manifest: dict[str, JsonValue] | None
    policy_version: str
    lane: Literal["local", "hub"]
    levels_run: list[int]
    results: list[ForeignResult]
    verdict: Literal["pass", "warn", "fail"]


def load_foreign(text: str) -> ForeignReport:
    """Read a report of RFC 008.

    Raises:
        pydantic.ValidationError: the text is none.
    """
    return ForeignReport.model_validate_json(text)


def merged(report: Report, other: ForeignReport) -> Report:
    """Return our report with the answers of another validator among its results.

    Where both answered a question, the surer answer counts, and of two sure ones the worse.
    Severities are `advisory` until a policy weighs them.
    """
    results = {result.id: result for result in report.results}
    for answer in other.results:
        ours = results.get(answer.check_id)
        if ours is None or SURE[answer.status] > SURE[ours.status]:
            results[answer.check_id] = _translated(answer, other)
    taken = Merged(
        tool=TOOL,
        target=plain(other.target),
        source_digest=plain(other.source_digest),
        policy_version=plain(other.policy_version),
        levels=other.levels_run,
        checks=[answer.check_id for answer in other.results],
    )
    return report.model_copy(
        update={"results": list(results.values()), "merged": [*report.merged, taken]}
    )


def _translated(answer: ForeignResult, other: ForeignReport) -> CheckResult:
    said = [plain(line) for line in answer.evidence]
    reason = said[0] if said else f"{TOOL} says {answer.status}"
    do = plain(answer.remediation or "")
    finding = Finding(
        claim=reason,
        saw="; ".join(said[1:]) or reason,
        expected="see RFC 008",
        where=plain(other.target),
        reproduce=f"{TOOL} in the package's folder",
        do=do,
    )
    return CheckResult(
        id=answer.check_id,
        severity="advisory",
        status=answer.status,
        reason=reason,
        needed=do if answer.status == "skip" else "",
        measured=_numbers(answer.measured),
        findings=[finding] if answer.status == "fail" else [],
        asked_by=TOOL,
    )


def _numbers(measured: dict[str, Any]) -> dict[str, Measure]:
    return {
        plain(name): Measure(estimate=float(value), method=f"as {TOOL} reports it")
        for name, value in measured.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    }
