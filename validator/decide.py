"""Asks every check of the policy, and survives each of them."""

import logging
from collections.abc import Iterable

import reports.model as report
from reports.model import Severity
from validator.checks.base import Check, CheckResult
from validator.checks.timeless import seen_by
from validator.evidence import Evidence
from validator.measures import measure
from validator.policy.model import Policy
from validator.rollouts.looks import Look

log = logging.getLogger(__name__)


def decide_all(
    checks: Iterable[Check], evidence: Evidence, policy: Policy
) -> list[report.CheckResult]:
    """Return the answer of every check that the policy names, in the policy's order.

    A check that raises is our own fault: it is an `error`, which no policy reads as a pass.
    """
    by_id = {check.id: check for check in checks}
    return [
        _reported(decide(by_id[name], evidence), severity, evidence.look)
        for name, severity in policy.severities.items()
        if name in by_id
    ]


def decide(check: Check, evidence: Evidence) -> CheckResult:
    """Return the answer of one check, an error where it raises."""
    try:
        return check.decide(seen_by(check, evidence))
    except Exception as fault:
        log.exception("check %s broke", check.id)
        return CheckResult(
            check_id=check.id,
            status="error",
            reason=f"the check broke ({type(fault).__name__}): please report it with the run's log",
        )


def _reported(result: CheckResult, severity: Severity, look: Look) -> report.CheckResult:
    return report.CheckResult(
        id=result.check_id,
        severity=severity,
        status=result.status,
        question=result.question,
        reason=result.reason,
        needed=result.needed,
        measured={
            name: measure(found, of=of, look=look) for name, (found, of) in result.measured.items()
        },
        findings=list(result.findings),
    )
