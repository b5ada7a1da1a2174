"""The summary that a person reads in ten seconds: verdict, numbers, ladder, what to repair."""

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from reports import numbers, words
from reports.advice import next_step, weight
from reports.model import CheckResult, Finding, Report, Severity
from reports.safe import terminal as safe
from reports.writers.strip import DRAWN, TYPED, Signs, scale, strip

STYLES: dict[str, str] = {
    "pass": "bold green",
    "warn": "bold yellow",
    "fail": "bold red",
    "error": "bold magenta",
    "skip": "bold cyan",
    "advisory": "bold blue",
}
WIDTH = 80
"""Columns where nothing says how many there are."""

MOST_REASONS = 3
MOST_FINDINGS = 1
"""Findings shown in full of one check; the report holds them all."""

NAME_LENGTH = 48


class Terminal:
    """The summary as plain text, 80 columns wide."""

    suffix: ClassVar[str] = ".txt"

    def write(self, report: Report) -> str:
        console = Console(
            file=io.StringIO(), width=WIDTH, force_terminal=False, color_system=None, no_color=True
        )
        show(report, console)
        assert isinstance(console.file, io.StringIO)
        return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())


def show(report: Report, console: Console, *, files: Mapping[str, str] | None = None) -> None:
    """Print the summary on a console.

    Args:
        report: What to show.
        console: Where; colours are used where the console has them, and never needed.
        files: What was written where, to be named at the end: `{"report": "run/report.json"}`.
    """
    signs = TYPED if console.options.ascii_only else DRAWN
    parts: list[RenderableType] = [_verdict(report)]
    parts += _section("Numbers", _headline(report))
    parts += _section("Ladder", _ladder(report, signs))
    parts += _section("To repair", *_failures(report))
    parts += _section("Open questions", *_open(report))
    parts += _section("Run", _run(report, files or {}))
    if console.is_terminal:  # the top may have scrolled away
        parts += [Text(), _head(report), _pairs([_next(report)])]
    console.print(Group(*parts), soft_wrap=False, highlight=False, markup=False, emoji=False)


def _section(title: str, *parts: RenderableType | None) -> list[RenderableType]:
    shown = [part for part in parts if part is not None]
    if not shown:
        return []
    return [Text(), Rule(Text(title, "bold"), align="left", style="dim"), *shown]


def _head(report: Report) -> Text:
    status = report.verdict.status
    return Text.assemble(
        (f" {status.upper()} ", f"{STYLES[status]} reverse"),
        " ",
        (safe(report.target.name or "unnamed", NAME_LENGTH), "bold"),
        ("  " + safe(report.target.url), "dim"),
    )


def _next(report: Report) -> tuple[Text, Text]:
    return Text("next", "bold"), Text(safe(next_step(report).line, 600), "bold")


def _verdict(report: Report) -> RenderableType:
    why = report.verdict.reasons[:MOST_REASONS]
    more = len(report.verdict.reasons) - len(why)
    rows = [
        (Text("" if number else "why"), Text(safe(reason))) for number, reason in enumerate(why)
    ]
    if more:
        rows.append((Text(), Text(f"and {numbers.count(more, 'reasons')} more")))
    return Group(_head(report), _pairs([*rows, _next(report)]))


def _headline(report: Report) -> RenderableType | None:
    if not report.headline:
        return None
    table = _table()
    for name in ("", "95% interval", "n", ""):
        table.add_column(Text(name, "dim"), overflow="fold")
    for name, found in report.headline.items():
        if found.estimate is None:
            table.add_row(Text(_word(name), "bold"), "undefined", "", Text(safe(found.undefined)))
        else:
            table.add_row(
                Text(_word(name), "bold"),
                Text(safe(numbers.short(found))),
                Text(safe(numbers.sample(found).removeprefix("n = "))),
                Text(words.BRIEF.get(name, ""), "dim"),
            )
    methods = words.methods(report.headline)
    return Group(table, Text(f"by {safe(methods, 600)}", "dim")) if methods else table


def _ladder(report: Report, signs: Signs) -> RenderableType | None:
    if not report.ladder:
        return None
    climbed = words.ladder(report)
    ends = scale([rung.mean_score for rung, _ in climbed])
    table = _table()
    drawn = f"{numbers.number(ends[0])} to {numbers.number(ends[1])}" if ends else ""
    for name in ("probe", "mean score", "n", "successes", drawn):
        table.add_column(Text(name, "dim"), overflow="fold")
    for rung, kind in climbed:
        mean = rung.mean_score
        drawn_mean = Text(strip(mean, ends, 20, signs) if ends else "", "cyan", no_wrap=True)
        table.add_row(
            Text.assemble((safe(rung.probe, 24), "bold"), (f" {safe(kind, 24)}", "dim")),
            Text(safe(numbers.short(mean))),
            Text(f"{mean.n:,}"),
            Text(safe(numbers.short(rung.success_rate))),
            Text(safe(mean.undefined)) if mean.estimate is None else drawn_mean,
        )
    found = [Text(safe(line, 600), "dim") for line in words.climbing(report)]
    return Group(table, Text(safe(words.success(report)), "dim"), *found)


def _failures(report: Report) -> Iterator[RenderableType]:
    order: list[Severity] = ["fail", "warn", "advisory"]
    failed = [r for r in report.results if r.status == "fail" and not r.question]
    for result in sorted(failed, key=lambda r: order.index(r.severity)):
        yield _result(result, weight(result))
    for result in report.results:
        if result.status == "error":
            yield _result(result, "error")


def _open(report: Report) -> Iterator[RenderableType]:
    for result in report.results:
        if result.status == "fail" and result.question:
            yield _result(result, "advisory")
    skipped = [result for result in report.results if result.status == "skip"]
    for result in skipped:
        if result.severity == "fail":
            yield _result(result, "skip")
    others = [result for result in skipped if result.severity != "fail"]
    if others:
        names = ", ".join(result.id for result in others)
        yield Text.assemble(
            ("SKIP", STYLES["skip"]),
            f" {numbers.count(len(others), 'others')} that block nothing: {names}.",
            " The report says what each needs.",
        )


def _result(result: CheckResult, word: str) -> RenderableType:
    head = Text.assemble(
        (word.upper(), STYLES[word]), " ", (result.id, "bold"), ": ", safe(result.reason)
    )
    shown = result.findings[:MOST_FINDINGS]
    parts: list[RenderableType] = [head, *map(_finding, shown)]
    if len(result.findings) > len(shown):
        left = len(result.findings) - len(shown)
        parts.append(Text(f"  and {numbers.count(left, 'findings')} more in the report", "dim"))
    if result.needed:
        parts.append(_pairs([(Text("needs", "bold"), Text(safe(result.needed), "bold"))]))
    return Group(*parts)


def _finding(finding: Finding) -> RenderableType:
    return _pairs(
        (
            Text(name, "bold" if name == "do" else "dim"),
            Text(safe(text), "bold" if name == "do" else ""),
        )
        for name, text in (
            ("claim", finding.claim),
            ("saw", finding.saw),
            ("expected", finding.expected),
            ("where", finding.where),
            ("reproduce", finding.reproduce),
            ("do", finding.do),
        )
        if text
    )


def _run(report: Report, files: Mapping[str, str]) -> RenderableType:
    target = report.target
    passed = sum(result.status == "pass" for result in report.results)
    rows = {
        "passed": f"{passed} of {len(report.results)} checks",
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
        "made by": words.made_by(report),
        **files,
    }
    return _pairs(
        (Text(safe(name, 24), "dim"), Text(safe(text, 600))) for name, text in rows.items() if text
    )


def _pairs(rows: Iterable[tuple[Text, Text]]) -> RenderableType:
    table = _table()
    table.show_header = False
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for left, right in rows:
        table.add_row(left, right)
    return Padding(table, (0, 0, 0, 2))


def _table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)


def _word(name: str) -> str:
    return safe(name.replace("_", " "), 24)
