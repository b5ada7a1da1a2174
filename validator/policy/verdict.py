"""From results to verdict and exit code, a pure function."""

from collections.abc import Sequence

from reports.model import CheckResult, Verdict, VerdictStatus
from validator.policy.model import Policy

EXIT_CODES: dict[VerdictStatus, int] = {"pass": 0, "warn": 0, "fail": 1}


def reach_verdict(results: Sequence[CheckResult], policy: Policy) -> Verdict:
    """Return what the policy makes of the results.

    A blocking check is one of severity `fail`. The verdict is

    - `fail` where a blocking check failed, or any check broke;
    - `warn` where a check of severity `warn` failed, or a blocking check was skipped:
      what was not decided is never a pass;
    - `pass` otherwise. Questions to the author and advisory findings are listed, no more.
    """
    failed = [r for r in results if r.status == "fail" and _severity(r) == "fail"]
    broke = [r for r in results if r.status == "error"]
    warned = [r for r in results if r.status == "fail" and _severity(r) == "warn"]
    undecided = [r for r in results if r.status == "skip" and r.severity == "fail"]
    status: VerdictStatus = "pass"
    if failed or broke:
        status = "fail"
    elif warned or undecided:
        status = "warn"
    reasons = [f"{r.id}: {r.reason}" for r in (*failed, *broke, *warned)]
    reasons += [f"{r.id}: not decided: {r.reason}" for r in undecided]
    if not reasons:
        passed = sum(r.status == "pass" for r in results)
        reasons = [f"{passed} of {len(results)} checks passed, none failed"]
    return Verdict(
        status=status,
        exit_code=EXIT_CODES[status],
        policy=policy.name,
        policy_version=policy.version,
        reasons=reasons,
    )


def _severity(result: CheckResult) -> str:
    return "advisory" if result.question else result.severity
