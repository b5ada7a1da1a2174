"""Seals a report over its evidence and checks the seal."""

import hashlib
import json
from typing import Any

from reports.model import Report

OUTSIDE = ("run", "verdict", "times", "manifest_file", "manifest_lines", "evidence_hash")
"""What differs between equal runs, or is the policy's word and not evidence."""


def evidence_hash(report: Report) -> str:
    """Return the SHA-256 of the evidence, `sha256:` and 64 hexadecimal digits.

    Evidence is all but the name of the run, its verdict and its times, as JSON with sorted keys
    and no blanks: a verdict can be reached anew from it. A severity is the policy's word, and so
    is outside too. What has its default is left out, so that a field which a later version adds
    breaks no seal of an earlier one.
    """
    document: dict[str, Any] = report.model_dump(mode="json", exclude_defaults=True)
    for name in OUTSIDE:
        document.pop(name, None)
    for result in document["results"]:
        del result["severity"]
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def sealed(report: Report) -> Report:
    """Return the report with the hash of its evidence."""
    return report.model_copy(update={"evidence_hash": evidence_hash(report)})


def is_intact(report: Report) -> bool:
    """Say whether the evidence is what its hash says; a report without one is not."""
    return report.evidence_hash == evidence_hash(report)
