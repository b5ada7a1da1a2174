"""Is the `validation:` block complete, and within the RFC's bounds?"""

from collections.abc import Mapping
from typing import ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, failed, passed, skipped
from validator.evidence import Evidence
from validator.rfc_block import Fault, faults_of
from validator.rollouts.needs import Need, Scale

MINIMAL = (
    "`validation: {reward: {range: [0.0, 1.0], floor_margin: 0.1}, "
    "resources: {cpu: 1, memory_mb: 512, disk_mb: 512, episode_timeout_s: 300}, "
    "capabilities: {verifier: {kind: reward_channel}}, types: {tags: [your-kind]}}` "
    "in the manifest, with your own values"
)
MOST_FINDINGS = 12


class Manifest:
    """RFC 008's own manifest check: the block that is given, not whether what it says is true.

    A file whose block cannot be read at all ends the command before anything is run.
    """

    id: ClassVar[str] = "static.manifest"
    title: ClassVar[str] = "Is the validation block complete and within bounds?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        declared = evidence.manifest.declared or {}
        block = declared.get("validation")
        if not isinstance(block, Mapping):
            return skipped(self, "there is no `validation:` block", needed=MINIMAL)
        faults = faults_of(block)
        if not faults:
            return passed(self, "the block is complete, and its values are within bounds")
        named = ", ".join(fault.path or "the block" for fault in faults[:4])
        more = "" if len(faults) <= 4 else f" and {len(faults) - 4} more"
        return failed(
            self,
            f"{len(faults)} places of the `validation:` block are not as RFC 008 wants them: "
            f"{named}{more}",
            findings=[_finding(fault) for fault in faults[:MOST_FINDINGS]],
        )


def _finding(fault: Fault) -> Finding:
    place = f"validation.{fault.path}" if fault.path else "validation"
    return Finding(
        claim=f"{place}: {fault.what}",
        saw=fault.saw,
        expected="a block that RFC 008 accepts",
        where=f"the manifest, {place}",
        reproduce="read the manifest",
        do=f"Mend `{place}`: docs/checks/static/manifest.md lists what belongs there.",
    )
