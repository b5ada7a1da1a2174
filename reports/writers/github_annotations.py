"""Workflow commands of GitHub Actions: annotations beside the manifest."""

import re
from typing import ClassVar

from reports.lines import effect, lines_of, name_of, to_do
from reports.model import Report
from reports.safe import plain
from reports.writers.location import manifest_line, manifest_path

COMMANDS = {"fails": "error", "warns": "warning", "noted": "notice", "waived": "notice"}
MOST = 10
"""GitHub shows so many of a kind in one step."""


class GithubAnnotations:
    """One workflow command a line. Text of environments cannot begin a command of its own."""

    suffix: ClassVar[str] = ".annotations.txt"

    def write(self, report: Report) -> str:
        counts = dict.fromkeys(COMMANDS.values(), 0)
        commands = []
        for line in lines_of(report):
            command = COMMANDS.get(effect(line, report.verdict))
            if command is None or counts[command] >= MOST:
                continue
            counts[command] += 1
            title, path = _property(name_of(line)), _property(manifest_path(report))
            at = manifest_line(report, line)
            message = _data(f"{line.reason}. {to_do(line)}".rstrip())
            commands.append(f"::{command} file={path},line={at},title={title}::{message}")
        return "".join(f"{command}\n" for command in commands)


def _data(text: str) -> str:
    """Return one line, its percent signs escaped as the runner unescapes them."""
    return plain(text, 1000).replace("%", "%25")


def _property(text: str) -> str:
    return re.sub("[:,]", lambda found: {":": "%3A", ",": "%2C"}[found[0]], _data(text))
