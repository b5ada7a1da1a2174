"""SARIF 2.1.0: what code scanning shows beside the manifest."""

import hashlib
import json
from typing import Any, ClassVar

from reports.lines import Line, effect, key_of, named, to_do
from reports.model import CheckResult, Report
from reports.safe import markdown, plain
from reports.writers.location import manifest_line, manifest_uri

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"fails": "error", "warns": "warning", "noted": "note", "waived": "note"}
"""Level of a result by what the line did to the verdict; what is open or holds is no result."""


class Sarif:
    """One run with a rule for each line of the verdict and a result for each that failed."""

    suffix: ClassVar[str] = ".sarif"

    def write(self, report: Report) -> str:
        lines = named(report)
        run = {
            "tool": {
                "driver": {
                    "name": "envassay",
                    "version": plain(report.tool.version),
                    "rules": [_rule(name, line) for name, line in lines],
                }
            },
            "invocations": [
                {
                    "executionSuccessful": not any(line.status == "error" for _, line in lines),
                    "exitCode": report.verdict.exit_code,
                }
            ],
            "automationDetails": {"id": plain(f"envassay/{report.verdict.policy}/")},
            "results": [
                _result(name, line, index, report)
                for index, (name, line) in enumerate(lines)
                if effect(line, report.verdict) in LEVELS
            ],
            "columnKind": "unicodeCodePoints",
            "properties": {
                "verdict": report.verdict.status,
                "fingerprint": plain(report.target.fingerprint),
            },
        }
        document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _rule_id(name: str) -> str:
    return plain(name.replace(" ", "/", 1))


def _rule(name: str, line: Line) -> dict[str, Any]:
    level = {"fail": "error", "warn": "warning", "advisory": "note"}[line.severity]
    return {
        "id": _rule_id(name),
        "shortDescription": {"text": plain(name)},
        "defaultConfiguration": {"level": level},
    }


def _result(name: str, line: Line, index: int, report: Report) -> dict[str, Any]:
    found = effect(line, report.verdict)
    result: dict[str, Any] = {
        "ruleId": _rule_id(name),
        "ruleIndex": index,
        "kind": "fail",
        "level": LEVELS[found],
        "message": {"text": _told(line), "markdown": _marked(line)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": manifest_uri(report)},
                    "region": {"startLine": manifest_line(report, line)},
                },
                "logicalLocations": [
                    {"fullyQualifiedName": plain(where), "kind": "member"} for where in _where(line)
                ],
            }
        ],
        "partialFingerprints": {"line/v1": _fingerprint(name, line)},
    }
    if found == "waived":
        result["suppressions"] = [
            {"kind": "external", "justification": plain(rule.reason)}
            for rule in report.verdict.rules
            if rule.kind == "waiver" and rule.name == key_of(line)
        ]
    return result


def _told(line: Line) -> str:
    return plain(f"{line.reason}. {to_do(line)}".rstrip(), 2000)


def _marked(line: Line) -> str:
    """Return the finding as Markdown, harmless whatever the environment says."""
    said = [markdown(line.reason, 2000)]
    if isinstance(line, CheckResult):
        said += [
            f"**{name}** {markdown(text, 1000)}"
            for finding in line.findings[:3]
            for name, text in finding.model_dump().items()
            if text
        ]
    return "\n\n".join(said)


def _where(line: Line) -> list[str]:
    return [one.where for one in line.findings[:3]] if isinstance(line, CheckResult) else []


def _fingerprint(name: str, line: Line) -> str:
    claims = [one.claim for one in line.findings[:1]] if isinstance(line, CheckResult) else []
    text = json.dumps([name, *claims])
    return hashlib.sha256(text.encode()).hexdigest()
