"""What a verdict rests on, line by line: answers of checks, and further rules of the policy."""

from collections import Counter
from typing import Literal, TypeAlias

from reports.model import CheckResult, Report, Rule, Verdict

Line: TypeAlias = CheckResult | Rule
Effect: TypeAlias = Literal["fails", "warns", "open", "noted", "waived", "holds"]
"""What a line did to the verdict: noted is a failure that counts for nothing."""


def lines_of(report: Report) -> list[Line]:
    """Return everything that was decided, or left open, in the order of the policy."""
    rules = [rule for rule in report.verdict.rules if rule.kind != "waiver"]
    return [*report.results, *rules]


def waivers_of(report: Report) -> list[Rule]:
    """Return the failures that are put up with, each with its reason, owner and last day."""
    return [rule for rule in report.verdict.rules if rule.kind == "waiver"]


def name_of(line: Line) -> str:
    """Return what a line of a verdict is called."""
    return line.id if isinstance(line, CheckResult) else f"{line.kind} {line.name}"


def named(report: Report) -> list[tuple[str, Line]]:
    """Return each line with a name that no other one has: formats know a line again by it.

    A comparison may have several of one name, as one for each rung; the second is `NAME (2)`.
    """
    found: list[tuple[str, Line]] = []
    times: Counter[str] = Counter()
    for line in lines_of(report):
        name = name_of(line)
        times[name] += 1
        found.append((f"{name} ({times[name]})" if times[name] > 1 else name, line))
    return found


def key_of(line: Line) -> str:
    """Return the name by which a line is waived."""
    return line.id if isinstance(line, CheckResult) else line.name


def reason_of(line: Line) -> str:
    """Return what the verdict says of a line, where it counts."""
    undecided = "not decided: " if line.status == "skip" else ""
    return f"{name_of(line)}: {undecided}{line.reason}"


def effect(line: Line, verdict: Verdict) -> Effect:
    """Return what a line did to a verdict."""
    if line.status == "pass":
        return "holds"
    waived = any(rule.kind == "waiver" and rule.name == key_of(line) for rule in verdict.rules)
    if waived and line.status != "error":
        return "waived"
    counted = reason_of(line) in verdict.reasons
    if line.status == "skip":
        return "fails" if counted and line.severity == "fail" and verdict.complete else "open"
    if not counted:
        return "noted"
    return "fails" if line.severity == "fail" or line.status == "error" else "warns"


def to_do(line: Line) -> str:
    """Return what would change a line; empty where nothing is known."""
    if line.status == "skip":
        return f"To decide it: {line.needed}" if line.needed else ""
    if isinstance(line, CheckResult):
        return next((finding.do for finding in line.findings if finding.do), "")
    return line.needed
