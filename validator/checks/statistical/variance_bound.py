"""Do scores of the same trajectory spread no more than is declared?"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.noise import noise_floor
from metrics.results import Scaled, Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.episodes import Failed
from validator.evidence import Evidence
from validator.manifest import Judged
from validator.rollouts.needs import Need, Scale
from validator.scoring import at_most
from validator.stopping import Fault, Stops
from validator.table import Row

SAMPLES = 20
"""Samples of one trajectory that the RFC takes of a judge."""
ERROR = 0.005
"""Chance to accuse an environment that keeps to its word."""
DECLARE = "`stochastic: {score_sd: 0.1}` in the manifest, with the spread that is meant"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Repeated:
    """One trajectory, and the numbers that each of its repetitions earned."""

    row: Row
    what: str
    """`score`, or the step whose reward it is."""
    numbers: list[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bound:
    """What the author declares: a standard deviation, and of what."""

    sd: float
    of: str
    """`score` or `reward`."""
    field: str


class VarianceBound:
    """RFC 008 #16: the spread of pure repeats against the declared one.

    The same actions under the same seed on fresh sessions, twenty times where a bound is declared.
    Fails where the spread over all of them, or that of one trajectory, is surely above it: Gaffke's
    interval over trajectories, and over disjoint pairs of repeats with Bonferroni's correction.
    """

    id: ClassVar[str] = "statistical.variance_bound"
    title: ClassVar[str] = "Do scores of one trajectory spread no more than declared?"
    stops: ClassVar[Stops] = Fault(rate=0.4, of=("score_sd",))

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="blind", starts=scale.replayed_starts, scripted=True, replays=scale.replays),
        )

    def more(self, evidence: Evidence, scale: Scale) -> tuple[Need, ...]:
        if _declared(evidence) is None:
            return ()
        starts = max(2, scale.replayed_starts // 2)
        walks = scale.solutions[:starts]
        needs = [
            Need(
                rung="blind",
                starts=starts,
                scripted=True,
                replays=SAMPLES - 1,
                priority=2,
                whole=True,
            )
        ]
        if walks:
            needs.append(Need(walks=walks, replays=SAMPLES - 1, priority=2, whole=True))
        return tuple(needs)

    def decide(self, evidence: Evidence) -> CheckResult:
        bound = _declared(evidence)
        found = _repeated(evidence, "score" if bound is None else bound.of)
        if not found:
            return skipped(
                self, "no scored episode was repeated", needed="an environment that scores episodes"
            )
        spread = _spread(evidence, found)
        measured: Measured = {"score_sd": (spread, "trajectories")}
        if bound is None:
            return self._undeclared(found, spread, measured)
        each = ERROR / (1 + len(found))
        wide = [one for one in found if _surely_above(_own_spread(evidence, one), bound.sd, each)]
        over_all = bound.of == "score" and _surely_above(spread, bound.sd, each)
        told = f"a standard deviation of {_say(spread)}, {bound.sd:.3g} declared (`{bound.field}`)"
        if wide or over_all:
            worst = max(wide or found, key=lambda one: max(one.numbers) - min(one.numbers))
            return failed(
                self,
                f"the {bound.of} of one and the same trajectory spreads more than declared: {told}",
                findings=[_finding(evidence, worst, bound)],
                measured=measured,
            )
        fewest = min(len(one.numbers) for one in found)
        if fewest < SAMPLES and any(_differs(one) for one in found):
            return self._unsure(f"{told}, by {fewest} samples of each", measured)
        if isinstance(spread, Undefined) or spread.estimate > at_most(bound.sd):
            return self._unsure(told, measured)
        return passed(self, f"{told}, {fewest} samples of each", measured=measured)

    def _unsure(self, told: str, measured: Measured) -> CheckResult:
        return undecided(
            self, f"{told}: it may be more or not", needed="a larger --budget", measured=measured
        )

    def _undeclared(
        self,
        found: Sequence[_Repeated],
        spread: Scaled | Undefined,
        measured: Measured,
    ) -> CheckResult:
        if not any(_differs(one) for one in found):
            many = sum(len(one.numbers) for one in found)
            return passed(
                self, f"{len(found)} trajectories score the same in {many} plays", measured=measured
            )
        return skipped(
            self,
            f"repeats score with a standard deviation of {_say(spread)}, and no bound is declared",
            needed=DECLARE,
            measured=measured,
        )


def _declared(evidence: Evidence) -> _Bound | None:
    manifest = evidence.manifest
    stochastic = manifest.envassay.stochastic
    if isinstance(stochastic, Judged):
        return _Bound(sd=stochastic.score_sd, of="score", field="score_sd")
    reward = manifest.validation.reward if manifest.validation else None
    if reward is not None and reward.variance_tolerance is not None:
        sd = math.sqrt(reward.variance_tolerance)
        return _Bound(sd=sd, of="reward", field="variance_tolerance")
    return None


def _repeated(evidence: Evidence, of: str) -> list[_Repeated]:
    """Return what each trajectory earned in each of its plays.

    Taken are those with twenty plays, else those with as many as most have: the others' spread is
    not known as well.
    """
    plays: dict[Row, list[Row]] = {}
    for row in evidence.table.rows:
        original = evidence.table.get(row.key.original)
        if original is None or row is original or row.key.condition != "fresh":
            continue
        if row.key.scripted or row.key.walk:
            plays.setdefault(original, [original]).append(row)
    whole = {
        row: rows
        for row, rows in plays.items()
        if not any(isinstance(one.outcome, Failed) for one in rows)
    }
    counts = Counter(len(rows) for rows in whole.values())
    plenty = [count for count in counts if count >= SAMPLES]
    taken = max(plenty, default=max(counts, key=lambda count: (counts[count], count), default=0))
    return [
        _Repeated(row=row, what=what, numbers=numbers)
        for row, rows in whole.items()
        if len(rows) == taken
        for what, numbers in (_scores(rows) if of == "score" else _rewards(rows)).items()
    ]


def _scores(rows: Sequence[Row]) -> Mapping[str, list[float]]:
    scores = [row.score for row in rows if row.score is not None]
    return {"score": scores} if len(scores) == len(rows) else {}


def _rewards(rows: Sequence[Row]) -> Mapping[str, list[float]]:
    """Return the rewards step by step, as far as every play has a number there."""
    steps = min(row.steps for row in rows)
    found: dict[str, list[float]] = {}
    for step in range(steps):
        if any(row.kind_at(step) != "number" for row in rows):
            break
        found[f"step {step + 1}"] = [row.values[step] for row in rows]
    return found


def _spread(evidence: Evidence, found: Sequence[_Repeated]) -> Scaled | Undefined:
    """Return the standard deviation of repeats over all trajectories, an equal part each."""
    numbers = [number for one in found for number in one.numbers]
    labels = [place for place, one in enumerate(found) for _ in one.numbers]
    floor = noise_floor(numbers, labels, bounds=_bounds(evidence, found))
    if isinstance(floor, Undefined):
        return floor
    return Scaled(of=floor, factor=math.sqrt(len(numbers)))


def _own_spread(evidence: Evidence, one: _Repeated) -> Scaled | Undefined:
    """Return the standard deviation of one trajectory's repeats, over disjoint pairs of them."""
    numbers = one.numbers[: len(one.numbers) // 2 * 2]
    labels = [place // 2 for place in range(len(numbers))]
    floor = noise_floor(numbers, labels, bounds=_bounds(evidence, [one]))
    if isinstance(floor, Undefined):
        return floor
    return Scaled(of=floor, factor=math.sqrt(len(numbers)))


def _bounds(evidence: Evidence, found: Sequence[_Repeated]) -> tuple[float, float] | None:
    """Return the declared range, widened to what was seen; None where none is declared."""
    manifest = evidence.manifest
    declared = evidence.score_range if found[0].what == "score" else manifest.reward_range
    if declared is None:
        return None
    numbers = [number for one in found for number in one.numbers]
    return min(declared[0], *numbers), max(declared[1], *numbers)


def _surely_above(spread: Scaled | Undefined, bound: float, error: float) -> bool:
    if isinstance(spread, Undefined):
        return False
    return spread.confidence_interval(1 - 2 * error).low > at_most(bound)


def _differs(one: _Repeated) -> bool:
    return min(one.numbers) < max(one.numbers)


def _say(spread: Scaled | Undefined) -> str:
    if isinstance(spread, Undefined):
        return f"nothing known ({spread.reason})"
    low, high = spread.confidence_interval(0.95)
    return f"{spread.estimate:.3g} [{low:.3g}, {high:.3g}]"


def _finding(evidence: Evidence, one: _Repeated, bound: _Bound) -> Finding:
    shown = ", ".join(f"{number:.3g}" for number in one.numbers[:8])
    return Finding(
        claim=f"the same actions earn a {bound.of} that spreads more than declared",
        saw=f"{one.what}: {shown} in {min(8, len(one.numbers))} of {len(one.numbers)} plays",
        expected=f"a standard deviation of {bound.sd:.3g} at most, as declared in `{bound.field}`",
        where=f"episode {one.row.key.path} and its replays",
        reproduce=f"{len(one.numbers)} times: {by_hand(evidence, one.row)}",
        do="Steady the judge: a fixed version, temperature 0, the mean of several gradings; or "
        f"declare the spread there is in `{bound.field}`.",
    )
