"""Every check with status, severity, reason and evidence; what needs a reader comes first."""

from collections.abc import Iterable, Sequence

from dashboard.signs import BROKEN, FATAL, ORDER, PASSED, badge, sign_of
from reports import numbers
from reports.advice import to_do, weight
from reports.markup import Markup, block, element, join, text
from reports.model import CheckResult, Finding, Measure

MOST_FINDINGS = 20
"""Findings shown of one check; the report holds them all."""
MOST_UNFOLDED = 8
"""Passed checks that are shown at once: more of them hide what follows."""


def checks(results: Sequence[CheckResult]) -> Markup:
    """Return every check, closed but for what is fatal; those that passed lie folded together."""
    ordered = sorted(results, key=lambda result: ORDER.index(sign_of(result)))
    passed = [result for result in ordered if sign_of(result) == PASSED]
    others = [result for result in ordered if sign_of(result) != PASSED]
    rest = _folded(passed) if len(passed) > MOST_UNFOLDED else join(map(_check, passed))
    return element("div", *map(_check, others), rest, class_="ea-checks")


def _folded(passed: Sequence[CheckResult]) -> Markup:
    label = element("b", f"{numbers.count(len(passed), 'checks')} passed")
    return element("details", element("summary", label), *map(_check, passed), class_="ea-passed")


def tally(results: Sequence[CheckResult]) -> Markup:
    """Return how many checks gave each answer."""
    found = [sign_of(result) for result in results]
    counted = (
        element("span", badge(sign), f" {found.count(sign)}", class_="ea-count")
        for sign in ORDER
        if sign in found
    )
    return element("p", *counted, class_="ea-tally")


def _check(result: CheckResult) -> Markup:
    sign = sign_of(result)
    summary = element(
        "summary",
        badge(sign),
        element("code", result.id),
        element("span", result.reason, class_="ea-reason"),
    )
    severity = element("p", _counts_as(result), class_="ea-small")
    body = join([severity, _do(result), *_findings(result.findings), _measured(result.measured)])
    return element(
        "details", summary, element("div", body, class_="ea-body"),
        open=sign in (FATAL, BROKEN), class_=f"ea-check ea-edge-{sign.tone}",
    )  # fmt: skip


def _counts_as(result: CheckResult) -> str:
    if result.question:
        return "An open question: a declaration of the author would settle it."
    counted = {"fail": "blocking", "warn": "warning", "advisory": "advice"}[weight(result)]
    return f"Severity under this policy: {counted}"


def _do(result: CheckResult) -> Markup:
    line = to_do(result)
    if not line or any(finding.do for finding in result.findings):
        return text("")
    return element("p", element("b", "Do "), text(line, 600))


def _findings(findings: Sequence[Finding]) -> Iterable[Markup]:
    for finding in findings[:MOST_FINDINGS]:
        yield _finding(finding)
    left = len(findings) - MOST_FINDINGS
    if left > 0:
        yield element("p", f"{numbers.count(left, 'findings')} more in the report.")


def _finding(finding: Finding) -> Markup:
    parts = {
        "saw": finding.saw,
        "expected": finding.expected,
        "where": finding.where,
        "do": finding.do,
    }
    rows = (
        element("div", element("dt", name), element("dd", text(said, 1000)), class_=f"ea-{name}")
        for name, said in parts.items()
        if said
    )
    how = (
        element("div", element("dt", "reproduce"), element("dd", block(finding.reproduce)))
        if finding.reproduce
        else ""
    )
    return element(
        "section",
        element("h3", finding.claim),
        element("dl", *rows, how, class_="ea-facts"),
        class_="ea-finding",
    )


def _measured(measured: dict[str, Measure]) -> Markup:
    if not measured:
        return text("")
    rows = (
        element(
            "tr",
            element("th", name.replace("_", " "), scope="row"),
            element("td", numbers.full(found, counted=True)),
            element("td", found.method, class_="ea-small"),
        )
        for name, found in measured.items()
    )
    head = element(
        "tr", *(element("th", name, scope="col") for name in ("measured", "value", "method"))
    )
    return element("table", element("thead", head), element("tbody", *rows), class_="ea-measured")
