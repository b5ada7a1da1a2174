"""Is what the tasks come from pinned to one version of it?"""

import re
from collections.abc import Mapping
from typing import ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, failed, passed, skipped
from validator.client.frames import Json
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale

PINS = ("generator_seed", "dataset_version", "generator_model")
FLOATING = re.compile(
    r"(?:.*[-_/@:])?(?:latest|main|master|head|trunk|dev|nightly|newest|current|tip)"
    r"|[<>~^!=].*|.*\*.*|(?:any|none|null|unknown|unpinned|random|tbd|todo|n/?a)?",
    re.IGNORECASE,
)
"""Text that names whatever is there today, or nothing."""
DECLARE = (
    "`validation: {task_distribution: {dataset_version: <tag or commit>}}`, or "
    "`{generator_seed: 0}` for tasks that are generated, in the manifest"
)


class TaskDistributionPinning:
    """RFC 008 #42: the section names at least one pin, and no pin floats.

    Whether the tasks that are served stay the same from visit to visit is
    `hub.immutable_versioning`.
    """

    id: ClassVar[str] = "static.task_distribution_pinning"
    title: ClassVar[str] = "Is what the tasks come from pinned?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        block = evidence.manifest.validation
        declared = block.task_distribution if block else None
        if declared is None:
            return skipped(self, "nothing says what the tasks come from", needed=DECLARE)
        section: Mapping[str, Json] = declared if isinstance(declared, Mapping) else {}
        pins = {name: section[name] for name in PINS if section.get(name) is not None}
        if not pins:
            return self._failed("no pin is named", "a section without one of " + ", ".join(PINS))
        for name, value in pins.items():
            if isinstance(value, bool) or (
                not isinstance(value, int) and not _is_fixed_text(value)
            ):
                return self._failed(f"{name} is no pin: {value!r:.60}", f"{name}: {value!r:.60}")
        told = ", ".join(f"{name} {value}" for name, value in pins.items())
        return passed(self, f"pinned by {told:.200}")

    def _failed(self, reason: str, saw: str) -> CheckResult:
        finding = Finding(
            claim="the tasks may become others without a change of the environment",
            saw=saw,
            expected="one version of the data or seed of the generator, by number, tag or commit",
            where="the manifest, validation.task_distribution",
            reproduce="read the manifest",
            do="Pin what the tasks come from: a score on tasks that move compares with nothing.",
        )
        return failed(self, reason, findings=[finding])


def _is_fixed_text(value: Json) -> bool:
    return isinstance(value, str) and not FLOATING.fullmatch(value.strip())
