"""The report as one page: no network, no script, opens from disk and prints."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from reports import captions, numbers, words
from reports.advice import next_step, to_do, weight
from reports.html import svg
from reports.markup import Markup, block, element, join, text
from reports.model import CheckResult, Finding, Measure, Report
from reports.when import moment
from reports.writers.markdown import answer

STYLE = Path(svg.__file__).with_name("page.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What the page may load: nothing."""

MARKS = {"pass": "✓", "warn": "!", "fail": "✕"}
MOST_FINDINGS = 20
MOST_ROWS = 400
ORDER = ("fail", "error", "skip", "pass")


class Html:
    """One self-contained page, harmless whatever the environment says."""

    suffix: ClassVar[str] = ".html"

    def write(self, report: Report) -> str:
        body = join(
            [
                *_top(report),
                *_numbers(report.headline),
                *_ladder(report),
                *_checks(report),
                *_figures(report),
                *_run(report),
            ]
        )
        name = text(report.target.name or "unnamed", 80)
        head = (
            '<meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            f"<title>{name}: {report.verdict.status}</title>"
            f"<style>{STYLE.read_text('utf-8')}</style>"
        )
        main = element("main", body)
        return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{main}</body></html>\n'


def _top(report: Report) -> Iterator[Markup]:
    status = report.verdict.status
    yield element("h1", text(report.target.name or "unnamed", 120))
    yield element("p", element("code", report.target.url), class_="small")
    yield element("p", f"Validated {moment(report.times.started_at)}", class_="small")
    badge = element("span", f"{MARKS[status]} {status}", class_=f"badge {status}")
    yield element(
        "section",
        element("p", badge, " ", words.VERDICT[status]),
        element("ul", *(element("li", reason) for reason in report.verdict.reasons[:20])),
        element("p", text(next_step(report).line, 600), class_="next"),
        class_=f"verdict {status}",
        aria_label="Verdict",
    )


def _numbers(found: Mapping[str, Measure]) -> Iterator[Markup]:
    if not found:
        return
    yield element("h2", "Numbers")
    rows = (
        (
            element("b", name.replace("_", " ")),
            numbers.full(measure, counted=True),
            words.MEANING.get(name, ""),
            measure.method,
        )
        for name, measure in found.items()
    )
    yield _table(("number", "95% interval and n", "what it says", "method"), rows)


def _ladder(report: Report) -> Iterator[Markup]:
    yield element("h2", "Ladder")
    yield element("p", text(captions.ladder(report), 600), class_="caption")
    if report.ladder:
        shown = [(f"{rung.probe} ({kind})", rung.mean_score) for rung, kind in words.ladder(report)]
        yield svg.intervals(shown, "mean score, with 95% intervals")
        yield element("p", f"{words.success(report)}.", class_="small")
        yield from (element("p", line, class_="small") for line in words.climbing(report))


def _figures(report: Report) -> Iterator[Markup]:
    figures = report.figures
    earned = words.in_order(report, (one.probe for one in figures.scores))
    played = words.in_order(report, (row.probe for row in report.tasks))
    yield from _figure(
        "Signal and size of group",
        captions.signal(report),
        svg.signal(figures.signal_by_group) if figures.signal_by_group else None,
    )
    yield from _figure(
        "Scores",
        captions.scores(report),
        svg.scores(figures.scores, earned) if figures.scores else None,
    )
    yield from _figure(
        "Tasks",
        captions.tasks(report.tasks),
        svg.tasks(report.tasks, played) if report.tasks else None,
    )
    yield from _figure(
        "Replays",
        captions.replays(figures.replays),
        svg.replays(figures.replays) if figures.replays else None,
    )
    for rung in report.ladder:
        if rung.learning is not None and rung.learning.curve:
            told = captions.curve(rung.probe, rung.learning)
            yield from _figure(f"Learning of {rung.probe}", told, svg.curve(rung.learning))
    load = report.times.load
    drawn = join([svg.throughput(load), svg.latency(load)]) if len(load) > 1 else None
    yield from _figure("Speed and sessions at once", captions.load(load), drawn)


def _figure(title: str, caption: str, drawn: Markup | None) -> Iterator[Markup]:
    yield element("h2", text(title, 80))
    yield element("p", text(caption, 600), class_="caption")
    if drawn is not None:
        yield drawn


def _checks(report: Report) -> Iterator[Markup]:
    yield element("h2", "Checks")
    ordered = sorted(report.results, key=_urgency)
    passed = [result for result in ordered if result.status == "pass"]
    yield element("p", f"{len(passed)} of {len(ordered)} checks passed.")
    yield from (_check(result) for result in ordered if result.status != "pass")
    if passed:
        told = element("summary", f"{numbers.count(len(passed), 'checks')} passed")
        yield element("details", told, *map(_check, passed), class_="pass passed")


def _urgency(result: CheckResult) -> tuple[int, bool, int]:
    severities = ("fail", "warn", "advisory")
    return (ORDER.index(result.status), result.question, severities.index(result.severity))


def _check(result: CheckResult) -> Markup:
    kind = result.status
    if result.status == "fail":
        kind = "question" if result.question else weight(result)  # type: ignore[assignment]
    do = to_do(result)
    said = [
        element("p", text(do, 600), class_="next")
        if do and not any(finding.do for finding in result.findings)
        else "",
        *(_finding(finding) for finding in result.findings[:MOST_FINDINGS]),
    ]
    left = len(result.findings) - MOST_FINDINGS
    if left > 0:
        said.append(element("p", f"{numbers.count(left, 'findings')} more in the JSON report."))
    if result.measured:
        rows = (
            (name.replace("_", " "), numbers.full(found, counted=True), found.method)
            for name, found in result.measured.items()
        )
        said.append(_table(("measured", "value", "method"), rows))
    summary = element(
        "summary",
        element("span", answer(result), class_="badge"),
        " ",
        element("code", result.id),
        " ",
        result.reason,
    )
    return element("details", summary, *said, open=kind in ("fail", "error"), class_=kind)


def _finding(finding: Finding) -> Markup:
    rows = {
        "saw": finding.saw, "expected": finding.expected, "where": finding.where,
        "do": finding.do,
    }  # fmt: skip
    told = [
        join([element("dt", name), element("dd", text(said, 1000), class_=name)])
        for name, said in rows.items()
        if said
    ]
    if finding.reproduce:
        told.append(join([element("dt", "reproduce"), element("dd", block(finding.reproduce))]))
    return element("section", element("h3", finding.claim), element("dl", *told))


def _run(report: Report) -> Iterator[Markup]:
    target = report.target
    yield element("h2", "Run")
    rows = {
        "cost": words.cost(report),
        **words.models(report),
        "episodes": words.ledger(report.ledger),
        "reused": words.reuse(report),
        "sessions": words.sessions(
            target.sessions_served, target.sessions_refused_at, report.settings.group_size
        ),
        "not played": words.unplayed(report.ledger),
        "speed": words.speed(report),
        "description": target.description,
        "version": target.version,
        "fingerprint": target.fingerprint,
        "made by": words.made_by(report),
    }
    told = (
        join([element("dt", text(name, 40)), element("dd", text(said, 2000))])
        for name, said in rows.items()
        if said
    )
    yield element("dl", *told)
    if report.tasks:
        yield _tasks(report)


def _tasks(report: Report) -> Markup:
    rows = (
        (
            text(row.task, 80),
            text(row.probe, 40),
            numbers.full(row.mean_score, counted=True),
            f"{row.scored:,}",
            f"{row.absent:,}",
            f"{row.failed:,}",
        )
        for row in report.tasks[:MOST_ROWS]
    )
    left = len(report.tasks) - MOST_ROWS
    more = element("p", f"{left:,} more rows in the JSON report.") if left > 0 else ""
    shown = _table(("task", "probe", "mean score", "scored", "absent", "failed"), rows)
    return element("details", element("summary", "Every task and probe"), shown, more)


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    names = list(header)
    head = element("tr", *(element("th", name, scope="col") for name in names))
    body = (
        element(
            "tr",
            *(element("td", cell, data_label=name) for name, cell in zip(names, row, strict=True)),
        )
        for row in rows
    )
    drawn = element("table", element("thead", head), element("tbody", *body))
    return element("div", drawn, class_="wide", tabindex="0", role="region", aria_label="Table")
