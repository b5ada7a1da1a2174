"""Is a time declared for an episode, and is it one that a trainer can wait for?"""

from typing import ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.evidence import Evidence
from validator.rfc_block import LONGEST_TIMEOUT
from validator.rollouts.needs import Need, Scale


class TimeoutCeiling:
    """RFC 008 #12: the declared time of an episode against the ceiling of the RFC's policies.

    Whether episodes keep to it is `runtime.resource_bounds`.
    """

    id: ClassVar[str] = "static.timeout_ceiling"
    title: ClassVar[str] = "Is the declared time of an episode within the ceiling?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        seconds = evidence.manifest.episode_timeout
        if seconds is None:
            return skipped(
                self,
                "no time is declared for an episode",
                needed="`validation: {resources: {episode_timeout_s: 300}}` in the manifest",
            )
        measured: Measured = {"episode_timeout_s": (seconds, "seconds")}
        if seconds <= LONGEST_TIMEOUT:
            return passed(
                self, f"{seconds:g} s, of {LONGEST_TIMEOUT:g} s at most", measured=measured
            )
        finding = Finding(
            claim="an episode may take longer than any trainer waits",
            saw=f"{seconds:g} s",
            expected=f"at most {LONGEST_TIMEOUT:g} s",
            where="the manifest, validation.resources.episode_timeout_s",
            reproduce="read the manifest",
            do="End an episode earlier, as truncated, and declare that time: one that hangs "
            "holds its session and its group for as long.",
        )
        return failed(
            self,
            f"the declared {seconds:g} s are above the ceiling of {LONGEST_TIMEOUT:g} s",
            findings=[finding],
            measured=measured,
        )
