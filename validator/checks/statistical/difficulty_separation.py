"""Do more capable probes earn more?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.ordering import Superiority, jonckheere_terpstra, superiority
from metrics.results import Significance, Undefined
from probes.base import Rung
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.ladder import graded, ladder_needs, mean, told_of_clock, walks_of_witnesses
from validator.rollouts.needs import Need, Scale
from validator.table import Row, start_of

ORDER: tuple[Rung, ...] = (
    "null", "blind", "reactive", "learner", "model", "harness", "search", "oracle",
)  # fmt: skip
"""Rungs that are compared, weakest first. A search plays what it found with the environment as
simulator, so it stands with the author's solutions, above all that decide as they go."""
FLOOR = frozenset({"null", "blind"})
"""What of these is better depends on the task: drawing actions may well do harm."""
UNRANKED = frozenset({"null", "blind", "reactive"})
"""A fixed rule that does worse than a weaker one says nothing against an environment."""
APART = frozenset({"model", "harness"})
"""Rungs whose probes have little in common: each is compared by itself."""
ENOUGH_RUNGS = 3
LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tier:
    """What the probes of one rung earned together, or one probe of a rung that is `APART`."""

    name: str
    """The rung, or the probe."""
    rung: Rung
    rows: list[Row]
    mean: float

    @property
    def by_start(self) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        for row in self.rows:
            if row.score is not None:
                found.setdefault(start_of(row.key), []).append(row.score)
        return found


class DifficultySeparation:
    """RFC 008 #14: an ordered-alternative test over rungs, and where a weaker one is ahead.

    Passes where scores rise with the rung on the same starts (Jonckheere-Terpstra, 5 %) and no
    rung is surely behind a weaker one. Fails, as a question, where a rung that learns, decides by
    a model or knows the answer surely earns less than a weaker one does on the same starts.
    """

    id: ClassVar[str] = "statistical.difficulty_separation"
    title: ClassVar[str] = "Do more capable probes earn more?"

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
        tiers = list(_tiers(evidence))
        rungs = dict.fromkeys(tier.rung for tier in tiers)
        if len(rungs) < ENOUGH_RUNGS:
            played = ", ".join(rungs) or "none"
            return skipped(
                self,
                f"{len(rungs)} rungs were scored ({played}), {ENOUGH_RUNGS} are needed",
                needed="`--probes` of further rungs, such as search and learner, or an `oracle` "
                "in the manifest",
            )
        clock = told_of_clock(evidence)
        told = " < ".join(f"{tier.name} {tier.mean:.3g}" for tier in tiers)
        behind = [
            (strong, weak, found)
            for place, strong in enumerate(tiers)
            for weak in tiers[:place]
            if (found := _behind(strong, weak, evidence.level(LEVEL))) is not None
        ]
        named = [
            one for one in behind if one[0].rung not in UNRANKED and one[0].rung != one[1].rung
        ]
        measured: Measured = {
            _measure_name(strong, weak): (ahead, "starts")
            for weak, strong in zip(tiers, tiers[1:], strict=False)
            if not isinstance(ahead := superiority(strong.by_start, weak.by_start), Undefined)
        }
        if named:
            return failed(
                self,
                "; ".join(f"{s.name} earns less than {w.name}" for s, w, _ in named) + clock,
                findings=[_finding(evidence, *one) for one in named[:3]],
                measured=measured,
                question=True,
            )
        trend = _trend(tiers)
        if isinstance(trend, Undefined):
            return undecided(
                self,
                f"{told.replace(' < ', ', ')}: {trend.reason}{clock}",
                needed="a more capable probe, or a larger --budget",
                measured=measured,
            )
        if trend.p_value > 1 - evidence.level(LEVEL):
            return undecided(
                self,
                f"{told.replace(' < ', ', ')}: no rise that chance does not explain "
                f"(p = {trend.p_value:.2g}){clock}",
                needed="a more capable probe, or a larger --budget",
                measured=measured,
            )
        aside = "".join(f"; {s.name} is behind {w.name}" for s, w, _ in behind)
        aside += "".join(f"; {name} is not above the floor" for name in _on_the_floor(tiers))
        return passed(
            self,
            f"scores rise with the rung (p = {trend.p_value:.2g}): "
            f"{told.replace(' < ', ', ')}{aside}{clock}",
            measured=measured,
        )


def _tiers(evidence: Evidence) -> Sequence[_Tier]:
    tiers = []
    for rung in ORDER:
        for name, rows in _players(evidence, rung):
            found = mean(evidence, rows)
            if not isinstance(found, Undefined):
                tiers.append(_Tier(name=name, rung=rung, rows=rows, mean=found.estimate))
    return tiers


def _players(evidence: Evidence, rung: Rung) -> list[tuple[str, list[Row]]]:
    """Return who stands on a rung, weakest first as far as is known, with their episodes."""
    by_probe = [(probe, graded(evidence, probe)) for probe in evidence.probes(rung)]
    if rung in APART:
        return by_probe
    rows = [row for _, rows in by_probe for row in rows]
    if rung == "oracle":
        rows += [row for row in evidence.oracle if row.score is not None]
    return [(rung, rows)]


def _on_the_floor(tiers: Sequence[_Tier]) -> list[str]:
    """Return the models and harnesses whose mean is no higher than that of the floor."""
    floor = max((tier.mean for tier in tiers if tier.rung in FLOOR), default=-math.inf)
    return [tier.name for tier in tiers if tier.rung in APART and tier.mean <= floor]


def _behind(strong: _Tier, weak: _Tier, level: float) -> Superiority | None:
    """Return how a stronger rung compares with a weaker one where it is surely behind."""
    if strong.rung in FLOOR and weak.rung in FLOOR:
        return None
    found = superiority(strong.by_start, weak.by_start)
    if isinstance(found, Undefined) or found.confidence_interval(level).high >= 0.5:
        return None
    return found


def _trend(tiers: Sequence[_Tier]) -> Significance | Undefined:
    scored = [
        (row.score, ORDER.index(tier.rung), start_of(row.key))
        for tier in tiers
        for row in tier.rows
        if row.score is not None
    ]
    return jonckheere_terpstra(
        [score for score, _, _ in scored],
        [place for _, place, _ in scored],
        [start for _, _, start in scored],
    )


def _finding(evidence: Evidence, strong: _Tier, weak: _Tier, found: Superiority) -> Finding:
    low, high = found.confidence_interval(evidence.level(LEVEL))
    shown = min(strong.rows, key=lambda row: row.score or 0.0)
    return Finding(
        claim=f"{_called(strong)} earns less than {_called(weak)}",
        saw=f"ahead in {found.estimate:.0%} [{low:.0%}, {high:.0%}] of pairs on {found.n} shared "
        f"starts; means {strong.mean:.3g} and {weak.mean:.3g}",
        expected="half of the pairs or more",
        where=f"for one episode {shown.key.path}",
        reproduce=by_hand(evidence, shown),
        do="Look at what the stronger one does there: an action format that it misses, a reward "
        "that punishes trying, time that runs out. Small models that repeat one action come out "
        "so, too, and are no fault.",
    )


def _called(tier: _Tier) -> str:
    return tier.name if tier.rung in APART else f"the rung {tier.rung}"


def _measure_name(strong: _Tier, weak: _Tier) -> str:
    return f"{strong.name}_over_{weak.name}".replace(":", "_")
