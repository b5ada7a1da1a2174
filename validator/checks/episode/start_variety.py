"""Do different seeds or tasks give different episodes?"""

from typing import ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.evidence import SCRIPTS, Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Stops, Witness


class StartVariety:
    """Fails only where neither the visible start nor what follows the same script differs."""

    id: ClassVar[str] = "episode.start_variety"
    title: ClassVar[str] = "Do different seeds or tasks give different episodes?"
    stops: ClassVar[Stops] = Witness(rate=0.05)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="blind", starts=scale.replayed_starts, repeats=SCRIPTS, scripted=True),)

    def doubts(self, evidence: Evidence) -> bool:
        """Say whether all starts look alike so far."""
        return self.decide(evidence).status == "fail"

    def decide(self, evidence: Evidence) -> CheckResult:
        first = {start: visits[0][0] for start, visits in evidence.visits.items() if visits}
        if len(first) < 2:
            return skipped(
                self, f"only {len(first)} starts were played", needed="a larger --budget"
            )
        kinds = {evidence.labels[start][0] for start in first}
        if len(kinds) > 1:
            return passed(
                self,
                f"{len(kinds)} different episodes from {len(first)} starts",
                measured={"distinct_episodes": (float(len(kinds)), "starts")},
            )
        tasks = evidence.manifest.envassay.tasks
        if tasks is not None and (tasks.count == 1 or (tasks.ids and len(tasks.ids) == 1)):
            return passed(self, "one task, as declared")
        row, other, *more = first.values()
        finding = Finding(
            claim="every start gives the same episode",
            saw=f"{len(first)} starts, one episode",
            expected="other tasks under other seeds",
            where=f"episodes {row.key.path} and {other.key.path}"
            + (f", and {len(more)} more" if more else ""),
            reproduce=by_hand(evidence, row, steps=0) + "; then the same with another seed",
            do="Let the seed of reset choose the task; or declare `tasks: {count: 1}`.",
        )
        declared_many = tasks is not None and (tasks.ids is not None or tasks.count is not None)
        return failed(
            self,
            f"{len(first)} starts gave one and the same episode",
            findings=[finding],
            measured={"distinct_episodes": (1.0, "starts")},
            question=not declared_many,
        )
