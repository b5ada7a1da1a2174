"""GitLab's code quality report: one entry for each line that fails or warns."""

import hashlib
import json
from typing import ClassVar

from reports.lines import effect, named, to_do
from reports.model import Report
from reports.safe import plain
from reports.writers.location import manifest_line, manifest_path

SEVERITIES = {"fails": "blocker", "warns": "minor", "noted": "info", "waived": "info"}


class Gitlab:
    """A list of issues in the manifest, which merge requests show as new or fixed."""

    suffix: ClassVar[str] = ".gitlab.json"

    def write(self, report: Report) -> str:
        issues = [
            {
                "description": plain(f"{name}: {line.reason}. {to_do(line)}".rstrip(), 1000),
                "check_name": plain(name),
                "fingerprint": hashlib.sha256(f"{report.target.name}\n{name}".encode()).hexdigest(),
                "severity": SEVERITIES[found],
                "location": {
                    "path": manifest_path(report),
                    "lines": {"begin": manifest_line(report, line)},
                },
            }
            for name, line in named(report)
            if (found := effect(line, report.verdict)) in SEVERITIES
        ]
        return json.dumps(issues, indent=2, ensure_ascii=False) + "\n"
