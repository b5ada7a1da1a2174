"""RFC 008's own report, schema version 2, for the lane of operators."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from reports.model import CheckResult, Measure, Report
from reports.safe import plain

LEVELS = {"static": 1, "runtime": 2, "semantic": 3, "statistical": 4}
PREFIX = "rfc008-"


class Rfc008:
    """The document that RFC 008 defines. It holds only the ids of RFC 008."""

    suffix: ClassVar[str] = ".rfc008.json"

    def write(self, report: Report) -> str:
        """Return the document.

        Raises:
            ValueError: the verdict is not that of a policy of RFC 008.
        """
        if not report.verdict.policy.startswith(PREFIX):
            raise ValueError(f"the verdict is of the policy {report.verdict.policy!r}")
        document = {
            "report_schema_version": "2",
            "target": report.target.url,
            "source_digest": next((one.source_digest for one in report.merged), ""),
            "signature": "openenv.yaml",
            "manifest": None,
            "policy_version": report.verdict.policy.removeprefix(PREFIX),
            "lane": "hub",
            "levels_run": sorted(set(_levels(report))),
            "results": [_result(result) for result in report.results],
            "verdict": report.verdict.status,
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _levels(report: Report) -> Iterator[int]:
    for result in report.results:
        level = LEVELS.get(result.id.partition(".")[0])
        if level is not None and result.status != "skip":
            yield level


def _result(result: CheckResult) -> dict[str, Any]:
    found = result.findings[0] if result.findings else None
    evidence = [result.reason]
    if found is not None:
        evidence += [
            f"{name}: {text}"
            for name, text in (
                ("claim", found.claim), ("saw", found.saw), ("expected", found.expected),
                ("where", found.where), ("reproduce", found.reproduce),
            )
        ]  # fmt: skip
    return {
        "check_id": result.id,
        "status": result.status,
        "measured": {name: _number(one) for name, one in sorted(result.measured.items())},
        "evidence": [plain(line, 2000) for line in evidence],
        "remediation": plain(found.do if found else result.needed) or None,
        "duration_s": 0.0,
    }


def _number(measure: Measure) -> dict[str, Any]:
    return measure.model_dump(mode="json", exclude_none=True)
