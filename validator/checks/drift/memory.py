"""Does the server's memory stay as it is over episodes?"""

from typing import Any, ClassVar

from metrics.latency import drift
from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.client.reading import LARGEST
from validator.drills.base import Drill
from validator.drills.repetitions import Repetitions
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale

FEWEST = 40
"""Readings below which nothing is said."""
TIMES = 1.1
"""Growth within the exercise that counts."""
LEVEL = 0.999


class Memory:
    """Believes what the state tells of memory; of a server that tells nothing, nothing is said."""

    id: ClassVar[str] = "drift.memory"
    title: ClassVar[str] = "Does the server's memory stay as it is over episodes?"
    drills: ClassVar[tuple[type[Drill], ...]] = (Repetitions,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        record = evidence.drills.get(Repetitions.name)
        told: Any = record.facts.get("memory", {}) if record else {}
        usable = {
            name: [value for value in values if abs(value) <= LARGEST]
            for name, values in told.items()
        }
        series = {name: values for name, values in usable.items() if len(values) >= FEWEST}
        if not series:
            return skipped(
                self,
                "memory cannot be seen through a URL, and the server does not tell it",
                needed="a state with a number such as `memory_mb`, or a look at the process",
            )
        name, values = next(iter(series.items()))
        slope = drift(values)
        half = len(values) // 2
        measured: Measured = {"readings": (float(len(values)), "readings")}
        rises = not isinstance(slope, Undefined) and slope.confidence_interval(LEVEL).low > 0
        if not rises or max(values[half:]) < TIMES * max(values[:half]):
            return passed(self, f"{name} does not grow", measured=measured)
        finding = Finding(
            claim="memory grows with each episode",
            saw=f"{name} {values[0]} at first, {values[-1]} after {len(values)} episodes",
            expected="a plateau",
            where="exercise repetitions",
            reproduce="reset a few hundred times on one session, and read the state each time",
            do="Let go of an episode when the next one begins.",
        )
        return failed(
            self, f"{name} grows with each episode", findings=[finding], measured=measured
        )
