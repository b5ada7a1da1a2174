"""From results to verdict and exit code, a pure function."""

from collections.abc import Sequence
from typing import Literal

from reports.lines import Line, key_of, reason_of
from reports.model import CheckResult, Rule, Verdict, VerdictStatus
from validator.policy.model import Policy

EXIT_CODES: dict[VerdictStatus, int] = {"pass": 0, "warn": 0, "fail": 1}


def reach_verdict(
    results: Sequence[CheckResult],
    policy: Policy,
    rules: Sequence[Rule] = (),
    *,
    complete: bool = False,
) -> Verdict:
    """Return what the policy makes of the results, and of its further rules.

    A blocking line is one of severity `fail`. The verdict is

    - `fail` where a blocking line failed, or any check broke;
    - `warn` where a line of severity `warn` failed, or a blocking one was skipped:
      what was not decided is never a pass;
    - `pass` otherwise. Questions to the author and advisory findings are listed, no more.

    The policy's rules may be stricter about what is open, advisory or asked, and with `complete`
    a blocking line that was skipped makes it `fail`. What is waived does not
    count, and is listed.
    """
    complete = complete or policy.rules.undecided == "fail"
    waived = {waiver.check for waiver in policy.waivers}
    lines: list[Line] = [*results, *(rule for rule in rules if rule.kind != "waiver")]
    weighed = [(_weight(line, policy, complete=complete), line) for line in lines]
    counted = [
        (weight, line)
        for weight, line in weighed
        if line.status == "error" or key_of(line) not in waived
    ]
    reasons = [
        reason_of(line)
        for wanted in ("fail", "warn")
        for skips in (False, True)
        for weight, line in counted
        if weight == wanted and (line.status == "skip") == skips
    ]
    weights = {weight for weight, _ in counted}
    status: VerdictStatus = "fail" if "fail" in weights else "warn" if "warn" in weights else "pass"
    if not reasons:
        passed = sum(line.status == "pass" for line in lines)
        reasons = [f"{passed} of {len(lines)} checks passed, none failed"]
    return Verdict(
        status=status,
        exit_code=EXIT_CODES[status],
        policy=policy.name,
        policy_version=policy.version,
        reasons=reasons,
        rules=list(rules),
        complete=complete,
    )


def _weight(line: Line, policy: Policy, *, complete: bool) -> Literal["fail", "warn"] | None:
    """Return what a line makes the verdict at least."""
    rules = policy.rules
    if line.status == "pass":
        return None
    if line.status == "error":
        return "fail"
    if line.status == "skip":
        if line.severity == "fail":
            return "fail" if complete else "warn"
        return "warn" if rules.any_skip == "warn" else None
    if isinstance(line, CheckResult) and line.question and rules.questions == "advisory":
        return None
    if line.severity == "advisory":
        return "warn" if rules.advisory == "warn" else None
    return line.severity
