"""Holds a report to a policy: severities, thresholds, declarations, waivers, comparison."""

import math
from collections.abc import Iterable, Iterator
from datetime import date

from metrics.proportions import proportion
from reports.model import Account, CheckResult, Measure, Report, Rule, Status
from reports.numbers import exact, full
from reports.signing import sealed
from validator.measures import measure
from validator.policy.model import Policy
from validator.policy.numbers import COLUMNS
from validator.policy.regression import compare
from validator.policy.rules import Threshold, Waiver
from validator.policy.verdict import reach_verdict

HIDDEN = 0.02
"""A number that lies nearer to its limit may look the same as it where both are rounded."""


def judge(
    report: Account, policy: Policy, *, baseline: Report | None = None, complete: bool = False
) -> Report:
    """Return what was found with the verdict of a policy, in place of any that it came with.

    Its answers are kept as they are; the policy says how bad each failure is, and its verdict
    depends on nothing else: equal reports, policies and baselines give equal verdicts.

    Args:
        report: What a run found, judged before or not.
        policy: What decides.
        baseline: An earlier report of the same environment.
        complete: Fail where a blocking question stayed open.
    """
    results = list(_weighed(report, policy))
    rules = [
        *(_threshold(rule, report) for rule in policy.thresholds),
        *_declarations(policy, report),
    ]
    if baseline is not None:
        rules += compare(report.model_copy(update={"results": results}), baseline, policy.baseline)
    failed = {one.id for one in results if one.status in ("fail", "skip", "error")}
    failed |= {one.name for one in rules if one.status in ("fail", "skip")}
    rules += [_waiver(waiver, failed) for waiver in policy.waivers]
    verdict = reach_verdict(results, policy, rules, complete=complete)
    return sealed(Report.model_validate(dict(report) | {"results": results, "verdict": verdict}))


def _weighed(report: Account, policy: Policy) -> Iterator[CheckResult]:
    """Yield the answer to each question of the policy, in its order; none is a skip."""
    found = {result.id: result for result in report.results}
    for name, severity in (policy.severities | policy.external).items():
        if name in found:
            yield found[name].model_copy(update={"severity": severity})
        elif name in policy.severities:
            yield CheckResult(
                id=name,
                severity=severity,
                status="skip",
                reason="it is not in this report",
                needed=f"a run with `--policy {policy.name}`",
            )
        elif policy.external_expected:
            yield CheckResult(
                id=name,
                severity=severity,
                status="skip",
                reason="it needs the source or the image, and no report of them "
                + ("that is merged answers it" if report.merged else "is merged"),
                needed="`--merge` with the report of `openenv validate`"
                + (", the image built and nothing skipped" if report.merged else ""),
            )


def _threshold(rule: Threshold, report: Account) -> Rule:
    """Decide a threshold: met, missed, or open because the interval reaches over it."""

    def answer(status: Status, reason: str, needed: str = "") -> Rule:
        return Rule(
            kind="threshold",
            name=rule.words,
            severity=rule.severity,
            status=status,
            reason=reason,
            needed=needed,
        )

    if rule.group_size is not None and rule.group_size != report.settings.group_size:
        return answer(
            "skip",
            f"the run was for groups of {report.settings.group_size}",
            f"a run with `--group-size {rule.group_size}`",
        )
    found = number_of(report, rule.metric)
    if found is None:
        return answer("skip", *_missing(report, rule.metric))
    if found.estimate is None:
        return answer("skip", found.undefined or "it could not be measured", "a larger --budget")
    return answer(*_decided(rule, found))


def _decided(rule: Threshold, found: Measure) -> tuple[Status, str, str]:
    shown = full(found)
    if rule.bound != "estimate" and found.low is None and found.high is None:
        return "skip", f"it has no interval: {shown}", "a threshold on the estimate"
    low = -math.inf if found.low is None else found.low
    high = math.inf if found.high is None else found.high
    value = {"estimate": found.estimate, "low": low, "high": high}[rule.bound]
    assert value is not None
    missed = [
        (limit, sign)
        for limit, sign, holds in (
            (rule.at_least, "at least", rule.at_least is None or value >= rule.at_least),
            (rule.at_most, "at most", rule.at_most is None or value <= rule.at_most),
        )
        if limit is not None and not holds
    ]
    if not missed:
        return "pass", shown, ""
    limit, sign = missed[0]
    asked = f"{sign} {exact(limit, found)} is asked"
    asked += {"estimate": "", "low": " of its lower bound", "high": " of its upper bound"}[
        rule.bound
    ]
    if math.isfinite(value) and abs(value - limit) < HIDDEN * max(abs(value), abs(limit)):
        asked += f", and it is {exact(value, found)}"
    over = (
        (rule.bound == "low" and sign == "at least" and high >= limit)
        or (rule.bound == "high" and sign == "at most" and low <= limit)
    )  # fmt: skip
    if over:
        reason = f"the interval reaches over the bound: {shown}; {asked}"
        return "skip", reason, "a larger --budget"
    return "fail", f"{shown}; {asked}", ""


def _missing(report: Account, metric: str) -> tuple[str, str]:
    """Return why a report has no number of that name, and what would give it one."""
    place, _, name = metric.partition("/")
    if place.startswith("probe:"):
        if place[6:] in {one.probe for one in report.ladder}:
            return "the report has no such number", "mean_score or success_rate"
        return f"no probe {place[6:]} played", "a run with that probe, see --probes"
    result = next((one for one in report.results if one.id == place), None)
    if result is not None and result.measured:
        known = ", ".join(sorted(result.measured))
        return f"{place} measures no {name}", f"one of {known}"
    if result is not None:
        return f"{place} measured nothing: {result.reason}", result.needed
    if metric == "times/start_wait":
        return "the server was up at once, or was not waited for", ""
    if metric == "headline/training_value":
        return "no learner played", "a run with `--probes default,learner`"
    return "the report has no such number", "a run that measures it"


def number_of(report: Account, metric: str) -> Measure | None:
    """Return a number of the report by the name that policies use; None where there is none."""
    place, _, name = metric.partition("/")
    if place == "headline":
        return report.headline.get(name)
    if place == "times":
        return report.times.measures.get(name)
    if place == "ledger":
        return _share(report, name.removesuffix("_share"))
    if place.startswith("probe:"):
        rung = next((one for one in report.ladder if one.probe == place[6:]), None)
        return {
            "mean_score": rung.mean_score, "success_rate": rung.success_rate
        }.get(name) if rung else None  # fmt: skip
    result = next((one for one in report.results if one.id == place), None)
    return result.measured.get(name) if result else None


def _share(report: Account, column: str) -> Measure | None:
    if column not in COLUMNS:
        return None
    count: int = getattr(report.ledger, column)
    return measure(proportion(count, report.ledger.started), of="episodes")


def _declarations(policy: Policy, report: Account) -> Iterable[Rule]:
    for path in policy.declarations.required:
        there = _declared(report, path)
        yield Rule(
            kind="declaration",
            name=path,
            severity=policy.declarations.severity,
            status="pass" if there else "fail",
            reason="it is declared" if there else "the manifest does not declare it",
        )


def _declared(report: Account, path: str) -> bool:
    found: object = report.manifest
    for part in path.split("."):
        if not isinstance(found, dict) or part not in found:
            return False
        found = found[part]
    return found is not None


def _waiver(waiver: Waiver, failed: set[str]) -> Rule:
    used = "" if waiver.check in failed else " (nothing to waive: it did not fail)"
    return Rule(
        kind="waiver",
        name=waiver.check,
        severity="advisory",
        status="pass",
        reason=f"{waiver.reason}, until {_day(waiver.expires)}, by {waiver.owner}{used}",
    )


def _day(day: date) -> str:
    return day.isoformat()
