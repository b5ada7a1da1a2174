"""The step summary of GitHub Actions: the comment, with the gate's lines on top."""

from typing import ClassVar

from reports.lines import effect, lines_of, name_of, to_do, waivers_of
from reports.model import Report
from reports.safe import markdown
from reports.writers.markdown import Markdown

MOST_LINES = 60
MARKS = {"fails": "❌", "warns": "⚠️", "open": "❔", "waived": "⏸", "noted": "ℹ️"}


class GithubSummary:
    """What did something to the verdict as a table, then the comment of `markdown`."""

    suffix: ClassVar[str] = ".summary.md"

    def write(self, report: Report) -> str:
        rows = [
            f"| {MARKS[found]} {found} | {markdown(name_of(line))} | {markdown(line.reason)} "
            f"| {markdown(to_do(line))} |"
            for wanted in MARKS
            for line in lines_of(report)
            if (found := effect(line, report.verdict)) == wanted
        ]
        rows += [
            f"| ⏸ waiver | {markdown(rule.name)} | {markdown(rule.reason)} | |"
            for rule in waivers_of(report)
        ]
        left = len(rows) - MOST_LINES
        more = [f"\n{left} more lines are in the report."] if left > 0 else []
        head = ["| | line | why | what to do |", "| --- | --- | --- | --- |"] if rows else []
        return "\n".join([*head, *rows[:MOST_LINES], *more, "", Markdown().write(report)])
