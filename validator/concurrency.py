"""How fast sessions were that played at once: from what an exercise timed."""

from collections.abc import Mapping, Sequence
from typing import Any

from metrics.latency import quantile, throughput_scaling
from metrics.results import Undefined
from reports.model import LoadPoint, Measure
from validator.drills.load import Load
from validator.evidence import Evidence
from validator.measures import measure


def load_points(evidence: Evidence) -> list[LoadPoint]:
    """Return throughput and latency at each number of sessions, the fewest first."""
    return [
        LoadPoint(
            sessions=size["sessions"],
            steps_per_second=measure(
                quantile(_throughputs(size), 0.5), of="rounds", unit="steps per second"
            ),
            step_p50=measure(quantile(size["step_seconds"], 0.5), of="steps", unit="seconds"),
            step_p95=measure(quantile(size["step_seconds"], 0.95), of="steps", unit="seconds"),
        )
        for size in _sizes(evidence)
        if size["rounds"]
    ]


def contention(evidence: Evidence) -> Measure | None:
    """Return the share of the work for which sessions wait for one another.

    By the universal scalability law; None where fewer than three numbers of sessions were timed.
    """
    timed = [
        (float(size["sessions"]), throughput)
        for size in _sizes(evidence)
        for throughput in _throughputs(size)
    ]
    if not timed:
        return None
    sessions, throughputs = zip(*timed, strict=True)
    found = throughput_scaling(sessions, throughputs)
    return None if isinstance(found, Undefined) else measure(found.contention, of="rounds")


def _sizes(evidence: Evidence) -> Sequence[Mapping[str, Any]]:
    record = evidence.drills.get(Load.name)
    facts: Mapping[str, Any] = record.facts if record else {}
    found: Sequence[Mapping[str, Any]] = facts.get("sizes", ())
    return found


def _throughputs(size: Mapping[str, Any]) -> list[float]:
    return [steps / seconds for seconds, steps in size["rounds"] if seconds > 0]
