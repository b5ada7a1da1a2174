"""Is the first step answered soon after the first connection?"""

from typing import ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, failed, passed, skipped
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale

SLOW_SECONDS = 60.0
"""Cold starts longer than this stall a training run's first group."""


class TimeToFirstWork:
    """RFC 008 #6: opening a session, the first reset and the first step, cold."""

    id: ClassVar[str] = "hub.time_to_first_work"
    title: ClassVar[str] = "Is the first step answered soon after the first connection?"

    def __init__(self, slow_seconds: float = SLOW_SECONDS) -> None:
        self._slow = slow_seconds

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="null", starts=1, priority=0),)

    def decide(self, evidence: Evidence) -> CheckResult:
        first = min(
            (row for row in evidence.table.rows if row.answered and row.open_seconds is not None),
            key=lambda row: row.offset,
            default=None,
        )
        if first is None or first.reset_seconds is None or first.open_seconds is None:
            return skipped(self, "no step was answered", needed="an environment that steps")
        seconds = first.open_seconds + first.reset_seconds + first.step_seconds[0]
        if seconds <= self._slow:
            return passed(self, f"first step answered within {self._slow:g} s")
        finding = Finding(
            claim="the first step takes long",
            saw=f"more than {self._slow:g} s from opening the session to the first answer",
            expected=f"at most {self._slow:g} s",
            where=f"episode {first.key.path}",
            reproduce="restart the server, open a session, reset and step once",
            do="Load models and data when the server starts, not in the first reset.",
        )
        return failed(self, f"first step not answered within {self._slow:g} s", findings=[finding])
