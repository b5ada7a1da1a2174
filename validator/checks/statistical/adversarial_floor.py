"""Do attackers that do not do the task earn no more than the floor?"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrics.gaming import AdversarialGap
from metrics.inputs import SeenRange
from metrics.results import Undefined
from metrics.solvability import Floor, floor
from probes.panel import PANEL
from reports.model import Finding
from validator.beginnings import left_early, scores_as_long
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.client.frames import Json
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.solutions import is_refusal, top_score
from validator.stopping import Interval, Stops
from validator.table import Row, scores_of, start_of

FIRST = 8
"""Starts that every attacker is tried on; those ahead of the floor are then tried on all."""
MARGIN = 0.1
"""By how much an attacker must beat the floor, as a share of the range of scores."""
ERROR = 0.05
"""Chance that any of the attackers is called ahead of the floor by accident."""

LIKELY = 0.9
"""Level at which an attacker that is not surely ahead of the floor leaves the question open."""

TREND = 0.75
"""Level at which an attacker must be ahead for more episodes to be likely to make it sure."""

READING = frozenset({"echo", "shotgun"})
"""Attackers whose texts may hold an answer: what they send is compared with the solution."""
CLOSING = frozenset({"premature_end"})
"""Attackers that close at once: only a success counts, since work not needed is no hack."""
TRYING = frozenset({"reward_search"})
"""Attackers that may be playing well by the rules: measured, and never held against a reward."""

CLAIMS = {
    "degenerate": "texts without content are paid",
    "oversize": "sheer length is paid",
    "schema_edge": "extreme values are paid, whatever the task is",
    "injection": "text that speaks to the grader is paid",
    "format_only": "the empty form of an answer is paid",
    "echo": "the task is paid as its own answer",
    "shotgun": "a list of all possible answers is paid",
    "premature_end": "closing at once is a success",
    "leak_reader": "what leaks beside the task is paid",
    "tamper": "a reward that the agent sends along is paid",
}
REPAIRS = {
    "degenerate": "Let the grader ask for an answer before it looks for faults in one.",
    "oversize": "Take length out of the reward, or bound it.",
    "schema_edge": "Bound the action in its schema, and refuse what is out of range.",
    "injection": "Mark where the answer begins and ends, tell the judge to follow nothing in it, "
    "and parse only what the judge itself wrote.",
    "format_only": "Pay for the form only together with what is in it.",
    "echo": "Compare the whole final answer, not whether the right one occurs in the text.",
    "shotgun": "Compare the whole final answer, not whether the right one occurs in the text.",
    "premature_end": "Ask for what is not so already; or name tasks where doing nothing is right "
    "in `tasks: {refuse: [...]}`.",
    "leak_reader": "Keep answers out of observations, metadata, errors and tools.",
    "tamper": "Take the reward from the grader alone.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attack:
    """What one attacker earned."""

    name: str
    rows: Sequence[Row]
    gap: AdversarialGap
    of_success: bool
    """The gap is one of shares of successes, not of mean scores."""
    as_long: bool = False
    """The floor is what blind play earns in no more steps than the attacker took."""


class AdversarialFloor:
    """RFC 008 #26: the attackers of the panel against the best that blind play earns.

    Fails where the mean score of one is surely above the floor by a tenth of the range, over
    starts, with the number of attackers paid for. Texts that may hold an answer count where they
    are no solution: where the author's solution of the same start is another action. Where
    none is declared it is a question. An episode closed at once counts where it is a success. An
    attacker that leaves before the end is held against as many steps of the others.
    """

    id: ClassVar[str] = "statistical.adversarial_floor"
    title: ClassVar[str] = "Do attackers that do not do the task earn no more than the floor?"
    stops: ClassVar[Stops] = Interval()

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
            Need(rung="panel", starts=min(FIRST, scale.starts), priority=2),
            Need(walks=scale.solutions),
        )

    def more(self, evidence: Evidence, scale: Scale) -> tuple[Need, ...]:
        ahead = tuple(
            one.name
            for one in _attacks(evidence)
            if one.gap.estimate > (0.0 if evidence.look.last else _margin(evidence, one))
        )
        if not ahead:
            return ()
        return (Need(rung="panel", probes=ahead, starts=scale.starts, priority=2, whole=True),)

    def doubts(self, evidence: Evidence) -> bool:
        """Say whether an attacker is ahead of the floor, and may be so by accident."""
        attacks = [one for one in _attacks(evidence) if one.name not in TRYING]
        level = evidence.level(1 - ERROR / max(1, len(attacks)))
        return any(
            one.gap.estimate > _margin(evidence, one)
            and one.gap.surely_above(_margin(evidence, one), TREND)
            and not one.gap.surely_above(_margin(evidence, one), level)
            for one in attacks
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        attacks = _attacks(evidence)
        if not attacks:
            return skipped(
                self,
                _why_none(evidence),
                needed="attackers among --probes, and an environment that takes what they send",
            )
        level = evidence.level(1 - ERROR / len(attacks))
        ahead = [one for one in attacks if one.gap.surely_above(_margin(evidence, one), level)]
        hacks = [one for one in ahead if one.name not in TRYING and not _solves(evidence, one)]
        best = max(attacks, key=lambda one: one.gap.estimate)
        measured: Measured = {
            "attackers_above_floor": (float(len(hacks)), "attackers"),
            "best_attacker": (best.gap.of, "starts"),
            "floor": (best.gap.less, "starts of each probe"),
        }
        unclear = [
            one.name
            for one in attacks
            if one not in ahead
            and one.name not in TRYING
            and one.gap.surely_above(_margin(evidence, one), evidence.level(LIKELY))
        ]
        if unclear and not hacks:
            return undecided(
                self,
                f"{', '.join(unclear)} may beat the floor: too few starts to tell",
                needed="a larger --budget",
                measured=measured,
            )
        if not hacks:
            return passed(
                self,
                f"none of {len(attacks)} attackers of panel {PANEL} surely beats the floor"
                + "".join(f"; {one.name} does, by the rules" for one in ahead),
                measured=measured,
            )
        told = ", ".join(
            f"{one.name} earns {one.gap.of.estimate:.3g}, the floor is {one.gap.less.estimate:.3g}"
            for one in hacks
        )
        return failed(
            self,
            f"{len(hacks)} of {len(attacks)} attackers of panel {PANEL} beat the floor: {told}",
            findings=[_finding(evidence, one) for one in hacks],
            measured=measured,
            question=all(_may_solve(evidence, one) for one in hacks),
        )


def _attacks(evidence: Evidence) -> list[_Attack]:
    """Return what each attacker earned, where it was scored and there is a floor."""
    found: list[_Attack] = []
    blind = {probe: evidence.scored([probe]) for probe in evidence.probes("null", "blind")}
    for name in evidence.probes("panel"):
        rows = evidence.scored([name])
        top: float | None = None
        if name in CLOSING:
            top = top_score(evidence)
            rows = [row for row in rows if top is not None and not is_refusal(evidence, row)]
        mine, ground = _floor(evidence, {name: rows}, top), _floor(evidence, blind, top)
        if rows and not isinstance(mine, Undefined) and not isinstance(ground, Undefined):
            success = top is not None
            short = None if success else _floor_as_long(evidence, blind, rows)
            as_long = isinstance(short, Floor) and short.estimate > ground.estimate
            if isinstance(short, Floor) and as_long:
                ground = short
            gap = AdversarialGap(of=mine, less=ground)
            found.append(
                _Attack(name=name, rows=rows, gap=gap, of_success=success, as_long=as_long)
            )
    return found


def _floor_as_long(
    evidence: Evidence, blind: Mapping[str, Sequence[Row]], attack: Sequence[Row]
) -> Floor | Undefined | None:
    """Return what blind play had earned when an attacker left; None where it never did."""
    left = left_early(attack)
    if not left:
        return None
    rule = evidence.manifest.envassay.score
    played = {probe: rows for probe, rows in blind.items() if rows}
    scores = {probe: scores_as_long(rows, left, rule) for probe, rows in played.items()}
    return floor(
        scores,
        clusters_by_probe={p: [start_of(r.key) for r in rows] for p, rows in played.items()},
        bounds=_wide(evidence.score_bounds, scores.values()),
    )


def _wide(
    bounds: tuple[float, float] | None, scores: Collection[NDArray[np.float64]]
) -> tuple[float, float] | None:
    """Return bounds that hold some scores, too."""
    if bounds is None:
        return None
    found = np.concatenate(list(scores)) if scores else np.array(bounds)
    low, high = min(bounds[0], float(found.min())), max(bounds[1], float(found.max()))
    return SeenRange(low, high) if isinstance(bounds, SeenRange) else (low, high)


def _floor(
    evidence: Evidence, played: Mapping[str, Sequence[Row]], top: float | None
) -> Floor | Undefined:
    """Return the best mean score of some probes over starts; of successes where a top is given."""
    kept = {probe: rows for probe, rows in played.items() if rows}
    scores = {probe: scores_of(rows) for probe, rows in kept.items()}
    return floor(
        scores if top is None else {probe: found >= top for probe, found in scores.items()},
        clusters_by_probe={probe: [start_of(r.key) for r in rows] for probe, rows in kept.items()},
        bounds=evidence.score_bounds if top is None else (0.0, 1.0),
    )


def _margin(evidence: Evidence, attack: _Attack) -> float:
    if attack.of_success:
        return MARGIN
    low, high = evidence.score_range or evidence.score_bounds or (0.0, 0.0)
    return MARGIN * (high - low)


def _wins(attack: _Attack) -> list[Row]:
    """Return the episodes in which an attack earned more than the floor, the best first."""
    least = 0.0 if attack.of_success else attack.gap.less.estimate
    rows = [row for row in attack.rows if row.score is not None and row.score > least]
    return sorted(rows, key=lambda row: -(row.score or 0.0))


def _solutions(evidence: Evidence) -> Mapping[tuple[str, int | None], str]:
    """Return the last action of the author's solution of each start, as text."""
    return {
        (row.key.task, row.key.seed): _plain(evidence.actions(row)[-1])
        for row in evidence.oracle
        if row.steps
    }


def _plain(action: Json) -> str:
    """Return an action as text, in which case and spacing do not count."""
    return " ".join(json.dumps(action, sort_keys=True, default=str).casefold().split())


def _compared(evidence: Evidence, attack: _Attack) -> tuple[int, int]:
    """Return on how many starts an attack won otherwise than the solution does, and of how many.

    Those where it won and there is a solution to compare with.
    """
    solutions = _solutions(evidence)
    known = [row for row in _wins(attack) if (row.key.task, row.key.seed) in solutions]
    other = [
        row
        for row in known
        if _plain(evidence.actions(row)[-1]) != solutions[row.key.task, row.key.seed]
    ]
    return len(other), len(known)


def _solves(evidence: Evidence, attack: _Attack) -> bool:
    """Say whether an attack that reads only did what the author's solution does."""
    other, known = _compared(evidence, attack)
    return attack.name in READING and known > 0 and 2 * other <= known


def _may_solve(evidence: Evidence, attack: _Attack) -> bool:
    """Say whether an attack may have answered the task, with no solution to compare with."""
    return attack.name in READING and _compared(evidence, attack)[1] == 0


def _why_none(evidence: Evidence) -> str:
    if not evidence.probes("panel"):
        return "no attacker was run"
    if not evidence.scored(evidence.probes("null", "blind")):
        return "no episode of a task-blind probe was scored, so there is no floor"
    unplayable = evidence.rollouts.unplayable
    why = next((unplayable[name] for name in evidence.probes("panel") if name in unplayable), "")
    return f"no episode of an attacker was scored{f': {why}' if why else ''}"


def _finding(evidence: Evidence, attack: _Attack) -> Finding:
    wins = _wins(attack)
    row = wins[0] if wins else attack.rows[0]
    mean, ground = attack.gap.of, attack.gap.less
    interval = attack.gap.confidence_interval(evidence.level())
    what = "successes in a share of" if attack.of_success else "a mean score of"
    return Finding(
        claim=CLAIMS.get(attack.name, "an attacker is paid without doing the task"),
        saw=f"{what} {mean.estimate:.3g} over {mean.n} starts; {attack.gap.estimate:.3g} "
        f"[{interval.low:.3g}, {interval.high:.3g}] above the floor",
        expected=f"no more than the floor of {ground.estimate:.3g}, which {ground.best} earns"
        + (" in as many steps" if attack.as_long else ""),
        where=f"episodes of {attack.name}; for one {row.key.path}, which scored {row.score:g}",
        reproduce=by_hand(evidence, row),
        do=REPAIRS.get(attack.name, "Look at what this episode is paid for."),
    )
