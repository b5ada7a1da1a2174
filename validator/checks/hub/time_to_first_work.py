"""Is the first step answered soon after the first connection?"""

from typing import ClassVar

from metrics.latency import quantile
from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, failed, passed, skipped
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.table import Row

SLOW_SECONDS = 60.0
"""Cold starts longer than this stall a training run's first group."""

COLD_SECONDS = 2.0
COLD_TIMES = 20.0
"""A first start is cold where it takes that long, and that many times what later ones take."""

ENOUGH_LATER = 5
"""Later starts that are compared with the first."""


class TimeToFirstWork:
    """RFC 008 #6: opening a session, the first reset and the first step, cold.

    Held against a minute, and against what the same took later in the run: work that only the
    first one waits for belongs to the server's start, where health checks see it.
    """

    id: ClassVar[str] = "hub.time_to_first_work"
    title: ClassVar[str] = "Is the first step answered soon after the first connection?"

    def __init__(self, slow_seconds: float = SLOW_SECONDS) -> None:
        self._slow = slow_seconds

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="null", starts=1, priority=0),)

    def decide(self, evidence: Evidence) -> CheckResult:
        rows = sorted(evidence.table.rows, key=lambda row: row.offset)
        starts = [(row, taken) for row in rows if (taken := _seconds(row)) is not None]
        if not starts:
            return skipped(self, "no step was answered", needed="an environment that steps")
        first, seconds = starts[0]
        later = quantile([taken for _, taken in starts[1:]], 0.5)
        usual = None if isinstance(later, Undefined) or later.n < ENOUGH_LATER else later.estimate
        if seconds > self._slow:
            limit = f"{self._slow:g} s"
        elif usual is not None and seconds > max(COLD_SECONDS, COLD_TIMES * usual):
            limit = f"{COLD_SECONDS:g} s and {COLD_TIMES:g} times what later starts take"
        else:
            return passed(self, f"first step answered within {self._slow:g} s")
        finding = Finding(
            claim="the first step takes long",
            saw=f"more than {limit} from opening the session to the first answer",
            expected=f"at most {self._slow:g} s, and no start that waits for what others do not",
            where=f"episode {first.key.path}",
            reproduce="restart the server, open a session, reset and step once; then once more",
            do="Load models and data when the server starts, not in the first reset.",
        )
        return failed(self, f"the first step took more than {limit}", findings=[finding])


def _seconds(row: Row) -> float | None:
    """Return what it took to open a session, reset and step once; None where it did not."""
    if not row.answered or row.open_seconds is None or row.reset_seconds is None:
        return None
    return row.open_seconds + row.reset_seconds + row.step_seconds[0]
