"""The step summary of GitHub Actions: the comment, with the gate's lines below its verdict."""

from typing import ClassVar

from reports.lines import effect, lines_of, name_of, to_do, waivers_of
from reports.model import Report
from reports.numbers import count
from reports.safe import markdown
from reports.writers.markdown import comment, counts_for_nothing

MOST_LINES = 60
MARKS = {"fails": "❌", "warns": "⚠️", "open": "❔", "waived": "⏸", "noted": "ℹ️"}


class GithubSummary:
    """The verdict, what did something to it as a table, then the rest of the comment."""

    suffix: ClassVar[str] = ".summary.md"

    def write(self, report: Report) -> str:
        found = [(effect(line, report.verdict), line) for line in lines_of(report)]
        idle = sum(counts_for_nothing(line, report) for _, line in found)
        rows = [
            f"| {MARKS[what]} {what} | {markdown(name_of(line))} | {markdown(line.reason)} "
            f"| {markdown(to_do(line))} |"
            for wanted in MARKS
            for what, line in found
            if what == wanted and not counts_for_nothing(line, report)
        ]
        rows += [
            f"| ⏸ waiver | {markdown(rule.name)} | {markdown(rule.reason)} | |"
            for rule in waivers_of(report)
        ]
        held = sum(what == "holds" for what, _ in found)
        left = len(rows) - MOST_LINES
        counts = [f"{held} of {count(len(found), 'lines')} hold."]
        counts += [f"{left} more are in the report."] if left > 0 else []
        counts += [f"{count(idle, 'open questions')} changed nothing."] if idle else []
        head = ["| | line | why | what to do |", "| --- | --- | --- | --- |"] if rows else []
        shown = "\n".join([*head, *rows[:MOST_LINES]])
        return comment(report, [shown, " ".join(counts)])
