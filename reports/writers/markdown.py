"""The report as a pull-request comment: verdict, numbers, what failed, the rest folded away."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from reports import numbers, words
from reports.advice import next_step, to_do, weight
from reports.lines import Line, effect, name_of, reason_of
from reports.model import CheckResult, Finding, Report, Rule
from reports.safe import code_block, code_span
from reports.safe import markdown as safe

MOST_FINDINGS = 3
"""Findings shown of one check; the report holds them all."""

MOST_TASKS = 50

MOST_REASONS = 20

MOST_CHARACTERS = 60_000
"""A comment on GitHub holds 65,536."""

COUNTS_AS = {"fail": "blocking", "warn": "warning", "advisory": "advice"}
"""What a failure is under the policy, by its severity."""

MARKS = {"pass": "✅", "warn": "⚠️", "fail": "❌"}


class Markdown:
    """A comment of GitHub's Markdown, harmless whatever the environment says."""

    suffix: ClassVar[str] = ".md"

    def write(self, report: Report) -> str:
        return comment(report)


def comment(report: Report, answers: Iterable[str] | None = None) -> str:
    """Return the comment.

    Args:
        report: What is told.
        answers: Paragraphs that tell what was decided, right below the verdict, in place of the
            usual tables below the numbers.
    """
    parts = [
        *_verdict(report),
        *(answers or ()),
        *_headline(report),
        *(_answers(report) if answers is None else ()),
        *_ladder(report),
        *_details(report),
    ]
    return "\n\n".join(_fitting(filter(None, parts))) + "\n"


def _fitting(parts: Iterable[str]) -> Iterator[str]:
    """Yield the parts that a comment has room for, and say how many it has not."""
    room, left = MOST_CHARACTERS, 0
    for part in parts:
        room -= len(part)
        if room >= 0:
            yield part
        else:
            left += 1
    if left:
        yield f"{numbers.count(left, 'sections')} more are in the report: too long for a comment."


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; its cells must be safe already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _verdict(report: Report) -> Iterator[str]:
    status = report.verdict.status
    name = safe(report.target.name or "unnamed", 80)
    yield f"## {MARKS[status]} {status.upper()}: {name}"
    yield f"{code_span(report.target.url)}: {words.VERDICT[status]}."
    reasons = report.verdict.reasons
    more = len(reasons) - MOST_REASONS
    lines = [f"- {safe(reason)}" for reason in reasons[:MOST_REASONS]]
    yield "\n".join([*lines, f"- and {more} more"] if more > 0 else lines)
    yield f"**Next.** {safe(next_step(report).line, 600)}"


def _headline(report: Report) -> Iterator[str]:
    if report.headline:
        rows = []
        for name, found in report.headline.items():
            value = (
                numbers.short(found) if found.undefined is None else f"undefined: {found.undefined}"
            )
            rows.append(
                [
                    f"**{safe(name)}**",
                    safe(value),
                    safe(numbers.sample(found)),
                    safe(found.method),
                    safe(words.MEANING.get(name, "")),
                ]
            )
        yield table(["number", "95% interval", "n", "method", "what it says"], rows)


def _answers(report: Report) -> Iterator[str]:
    shown = [result for result in report.results if result.status != "pass"]
    passed = len(report.results) - len(shown)
    order = ("fail", "warn", "advisory")
    shown.sort(
        key=lambda r: (("fail", "error", "skip", "pass").index(r.status), order.index(weight(r)))
    )
    idle = [one for one in shown if counts_for_nothing(one, report)]
    counted = [one for one in shown if one not in idle]
    if counted:
        yield _checks(counted, report)
    rules = [rule for rule in report.verdict.rules if rule.status != "pass" or _is_waiver(rule)]
    if rules:
        yield table(["rule", "answer", "why", "what to do"], (_rule(one, report) for one in rules))
    if shown:
        yield f"{passed} of {len(report.results)} checks passed."
    else:
        yield f"All {len(report.results)} checks passed."
    if idle:
        open_ones = numbers.count(len(idle), "open questions")
        yield _folded(f"{open_ones} that changed nothing", _checks(idle, report))


def counts_for_nothing(line: Line, report: Report) -> bool:
    """Say whether a line is open and the verdict would be the same without it."""
    idle = line.status == "skip" and line.severity != "fail"
    return idle and reason_of(line) not in report.verdict.reasons


def _checks(results: Iterable[CheckResult], report: Report) -> str:
    return table(
        ["check", "answer", "why", "what to do"],
        (
            [
                code_span(result.id),
                "waived" if effect(result, report.verdict) == "waived" else answer(result),
                safe(result.reason),
                safe(to_do(result)),
            ]
            for result in results
        ),
    )


def _is_waiver(rule: Rule) -> bool:
    return rule.kind == "waiver"


def _rule(rule: Rule, report: Report) -> list[str]:
    """Return a row for a threshold, declaration or comparison that does not hold, or a waiver."""
    found = effect(rule, report.verdict)
    said = {"skip": "not decided", "fail": f"fails ({COUNTS_AS[rule.severity]})"}
    told = "is put up with" if _is_waiver(rule) else said.get(rule.status, rule.status)
    needed = f"To decide it: {rule.needed}." if rule.status == "skip" and rule.needed else ""
    return [
        code_span(name_of(rule)),
        "waived" if found == "waived" else told,
        safe(rule.reason),
        safe(needed),
    ]


def answer(result: CheckResult) -> str:
    """Return a status with what it counts as, in words of our own."""
    if result.status == "fail":
        return "open question" if result.question else f"fails ({COUNTS_AS[weight(result)]})"
    return {"skip": "not decided", "error": "check broke", "pass": "passes"}[result.status]


def _ladder(report: Report) -> Iterator[str]:
    if report.ladder:
        yield table(
            ["probe", "what it does", "mean score", "successes", "n", "least to most", "steps"],
            (
                [
                    f"**{safe(rung.probe, 40)}**",
                    safe(words.RUNG.get(rung.rung, rung.rung)),
                    safe(_known(numbers.short(rung.mean_score), rung.mean_score.undefined)),
                    safe(_known(numbers.short(rung.success_rate), rung.success_rate.undefined)),
                    f"{rung.mean_score.n:,}",
                    f"{numbers.number(rung.score_low)} to {numbers.number(rung.score_high)}",
                    numbers.number(rung.mean_steps),
                ]
                for rung in report.ladder
            ),
        )
        yield safe(words.success(report)) + "."
        yield from (f"- {safe(line)}" for line in words.climbing(report))


def _known(value: str, undefined: str | None) -> str:
    return value if undefined is None else f"undefined: {undefined}"


def _details(report: Report) -> Iterator[str]:
    for result in report.results:
        if result.findings:
            found = numbers.count(len(result.findings), "findings")
            shown = result.findings[:MOST_FINDINGS]
            yield _folded(f"{result.id}: {found}", "\n\n".join(map(_finding, shown)))
    measured = [
        [
            code_span(result.id),
            safe(name),
            safe(numbers.full(value, counted=True)),
            safe(value.method),
        ]
        for result in report.results
        for name, value in result.measured.items()
    ]
    if measured:
        yield _folded("Measured", table(["check", "measure", "value", "method"], measured))
    if report.tasks:
        yield _folded("By task", _tasks(report))
    yield _folded("Run", _run(report))


def _finding(finding: Finding) -> str:
    rows = [
        ("saw", finding.saw),
        ("expected", finding.expected),
        ("where", finding.where),
        ("do", finding.do),
    ]
    lines = [f"**{safe(finding.claim)}**", "", *(f"- {name}: {safe(text)}" for name, text in rows)]
    if finding.reproduce:
        lines += ["", "To reproduce:", "", code_block(finding.reproduce)]
    return "\n".join(lines)


def _tasks(report: Report) -> str:
    rows = report.tasks[:MOST_TASKS]
    shown = table(
        ["task", "probe", "mean score", "scored", "absent", "failed", "method"],
        (
            [safe(row.task, 60), safe(row.probe, 40), safe(numbers.short(row.mean_score)),
             f"{row.scored:,}", f"{row.absent:,}", f"{row.failed:,}", safe(row.mean_score.method)]
            for row in rows
        ),
    )  # fmt: skip
    left = len(report.tasks) - len(rows)
    return f"{shown}\n\n{numbers.count(left, 'rows')} more in the report." if left else shown


def _run(report: Report) -> str:
    target, times = report.target, report.times
    rows = {
        "cost": words.cost(report),
        **words.models(report),
        "episodes": words.ledger(report.ledger),
        "reused": words.reuse(report),
        "spent": words.spending(report),
        "sessions": words.sessions(
            target.sessions_served, target.sessions_refused_at, report.settings.group_size
        ),
        "not played": words.unplayed(report.ledger),
        "speed": words.speed(report),
        "started": times.started_at,
        "fingerprint": target.fingerprint,
        "made by": words.made_by(report),
    }
    return "\n".join(f"- {safe(name, 40)}: {safe(text)}" for name, text in rows.items() if text)


def _folded(title: str, body: str) -> str:
    """Return a section that is closed until it is clicked; the title must be our own words."""
    return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"
