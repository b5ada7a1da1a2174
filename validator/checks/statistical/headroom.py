"""How much is left to earn above the best probe?"""

from collections.abc import Sequence
from typing import ClassVar

from metrics.bootstrap import MeanScore
from metrics.results import Undefined
from metrics.solvability import headroom
from probes.base import Rung
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.headline import task_blind_floor
from validator.ladder import (
    graded,
    ladder_needs,
    mean,
    told_of_clock,
    walks_of_witnesses,
    witnesses,
)
from validator.rollouts.needs import Need, Scale
from validator.scoring import at_least
from validator.table import Row, scores_of

POLICIES: tuple[Rung, ...] = ("model", "harness", "reactive", "learner", "blind", "null")
"""Rungs that decide as they go: what is left above them is left for training. Of equals the
first is told of."""
STRONG: frozenset[Rung] = frozenset({"model", "harness"})
ENOUGH_EPISODES = 30
LEFT = 0.05
"""Share of the way from floor to ceiling below which nothing is left to learn."""


class Headroom:
    """RFC 008 #15: (ceiling - best) / (ceiling - floor), over the probes that decide as they go.

    The ceiling is declared, else the best that solutions, searches or any episode earned. Fails
    where a language model or harness leaves surely less than a twentieth, or reached the ceiling in
    every one of at least 30 episodes: training has nothing to gain there for models of that
    strength. That a small learner masters an environment is told,
    and no failure; that nothing earns anything is not decided.
    """

    id: ClassVar[str] = "statistical.headroom"
    title: ClassVar[str] = "How much is left to earn above the best probe?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
            Need(walks=scale.solutions),
            *ladder_needs(scale),
        )

    def more(self, evidence: Evidence, scale: Scale) -> tuple[Need, ...]:
        return walks_of_witnesses(evidence)

    def decide(self, evidence: Evidence) -> CheckResult:
        floor, top = task_blind_floor(evidence), _ceiling(evidence)
        best = _best(evidence)
        if isinstance(floor, Undefined) or top is None or best is None:
            why = floor.reason if isinstance(floor, Undefined) else "no episode was scored"
            return skipped(self, why, needed="an environment that scores episodes")
        probe, rows, strong = best
        ceiling, source = top
        found = headroom(strong, floor, ceiling=ceiling)
        if isinstance(found, Undefined):
            return skipped(
                self,
                f"{found.reason} of {ceiling:.3g} ({source})",
                needed="`score_range` in the manifest, a solution in it, or a probe that finds "
                "more, such as search",
            )
        low, high = found.confidence_interval(evidence.level())
        measured: Measured = {
            "headroom": (found, "starts"),
            "ceiling": (ceiling, "episodes"),
            "best": (strong, "starts"),
        }
        told = (
            f"{found.estimate:.0%} [{max(0.0, low):.0%}, {min(1.0, high):.0%}] of the way from "
            f"floor to ceiling is left above {probe} ({strong.estimate:.3g} of {ceiling:.3g}, "
            f"{source}){told_of_clock(evidence)}"
        )
        rung = evidence.rungs[probe]
        if rung in STRONG and (high < LEFT or _all_at_the_top(rows, ceiling)):
            return failed(
                self,
                f"saturated: {told}",
                findings=[_finding(evidence, probe, rows, told)],
                measured=measured,
            )
        reached = scores_of(_proofs(evidence))
        if strong.estimate <= floor.estimate and not (reached > floor.estimate).any():
            return skipped(
                self,
                f"{told}, and nothing that was tried earns more than the floor: a hard task looks "
                "like that, and a dead one",
                needed="a more capable probe, or an `oracle` in the manifest",
                measured=measured,
            )
        mastered = " (mastered by it)" if _all_at_the_top(rows, ceiling) else ""
        return passed(self, told + mastered, measured=measured)


def _best(evidence: Evidence) -> tuple[str, list[Row], MeanScore] | None:
    """Return the policy with the highest mean, the strongest rung of equals."""
    found = []
    for probe in evidence.probes(*POLICIES):
        rows = graded(evidence, probe)
        score = mean(evidence, rows)
        if isinstance(score, MeanScore):
            found.append((probe, rows, score))
    order = {rung: place for place, rung in enumerate(POLICIES)}
    found.sort(key=lambda one: (-one[2].estimate, order[evidence.rungs[one[0]]]))
    return found[0] if found else None


def _proofs(evidence: Evidence) -> list[Row]:
    """Return the walks that show what can be earned: solutions, and what searches found."""
    searched = [row for probe in evidence.rungs for row in witnesses(evidence, probe)]
    return [*(row for row in evidence.oracle if row.score is not None), *searched]


def _ceiling(evidence: Evidence) -> tuple[float, str] | None:
    if evidence.score_range is not None:
        return evidence.score_range[1], "declared"
    scores = scores_of([*_proofs(evidence), *evidence.scored(list(evidence.rungs))])
    return (float(scores.max()), "the best seen") if scores.size else None


def _all_at_the_top(rows: Sequence[Row], ceiling: float) -> bool:
    scores = scores_of(rows)
    return scores.size >= ENOUGH_EPISODES and bool((scores >= at_least(ceiling)).all())


def _finding(evidence: Evidence, probe: str, rows: Sequence[Row], told: str) -> Finding:
    shown = max(rows, key=lambda row: row.score or 0.0)
    return Finding(
        claim=f"{probe} already earns what there is to earn",
        saw=told,
        expected=f"at least {LEFT:.0%} left",
        where=f"episodes of {probe}, for one {shown.key.path}",
        reproduce=by_hand(evidence, shown),
        do="Train weaker models here, or add harder tasks.",
    )
