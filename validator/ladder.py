"""What each probe of a run is worth: the episodes that count for it, and how it learned."""

from collections.abc import Sequence
from dataclasses import dataclass

from metrics.bootstrap import MeanScore, mean_score
from metrics.comparison import paired_difference
from metrics.inputs import as_known
from metrics.learning import curve, learning_slope
from metrics.results import Difference, Estimate, Undefined
from probes.base import Rung
from validator.episodes import Part
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.rollouts.start import Trajectory
from validator.solutions import begin_of
from validator.table import Row, scores_of, start_of

WITNESS = "witness"
"""Where a walk comes from that proves what a search found: `witness/search/3`."""
TRIES = 2
"""Episodes on each start of a probe that is on the ladder and not the floor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """How a probe that learns got better."""

    episodes: int
    """Scored ones that it learned from."""
    curve: list[tuple[int, float]]
    slope: Estimate | Undefined
    """Score per hundred episodes."""
    improvement: Estimate | Undefined
    """What it earns in the end, less what one that learned nothing earns beside it."""
    gap: Estimate | Undefined
    """What it earns in the end where it learned, less what elsewhere."""


def ladder_needs(scale: Scale) -> tuple[Need, ...]:
    """Return what the rungs above the floor play, so that they can be compared."""
    ranked: tuple[Rung, ...] = ("reactive", "search", "learner", "model", "harness")
    return (
        *(Need(rung=rung, starts=scale.starts, repeats=TRIES) for rung in ranked),
        Need(rung="search", campaign=scale.search),
        Need(rung="learner", campaign=scale.learner),
    )


def part_of(evidence: Evidence, probe: str, part: Part) -> list[Row]:
    """Return the scored episodes of one part of a probe's campaigns, in the order of play."""
    rows = [
        row
        for row in evidence.table.campaigns
        if row.key.probe == probe and row.key.campaign == part and row.score is not None
    ]
    return sorted(rows, key=lambda row: row.key.repeat)


def graded(evidence: Evidence, probe: str) -> list[Row]:
    """Return the scored episodes that a probe is judged by.

    - A learner: those it played when it had learned, on starts that it never learned on where there
      are such.
    - A search: the walks that prove the best it found.
    - Any other probe: all that are independent draws.
    """
    after = part_of(evidence, probe, "after")
    if after:
        held_out = _held_out(evidence, probe)
        return [row for row in after if _place(row) in held_out] or after
    return witnesses(evidence, probe) or evidence.scored([probe])


def witnesses(evidence: Evidence, probe: str) -> list[Row]:
    """Return the scored walks that repeat the best a search found, one a start, best first."""
    rows = [
        row
        for row in evidence.table.rows
        if row.key.walk.startswith(f"{WITNESS}/{probe}/")
        and row.key.replay == 0
        and row.score is not None
    ]
    return sorted(rows, key=lambda row: -(row.score or 0.0))


def walks_of_witnesses(evidence: Evidence) -> tuple[Need, ...]:
    """Return the walks that repeat the best episode which each search found, as a proof of it."""
    walks = [
        Trajectory(
            id=f"{WITNESS}/{probe}/{number}",
            start=begin_of(evidence, row),
            actions=evidence.actions(row),
        )
        for probe in evidence.rungs
        for number, row in enumerate(_best(part_of(evidence, probe, "explore")))
    ]
    return (Need(walks=tuple(walks)),) if walks else ()


def _best(rows: Sequence[Row]) -> list[Row]:
    """Return the best episode of each start that came to its end, the shortest of equals."""
    best: dict[tuple[str, int | None], Row] = {}
    for row in rows:
        if row.ended not in ("done", "step_cap") or not row.steps:
            continue
        known = best.get(_place(row))
        if known is None or _worth(row) > _worth(known):
            best[_place(row)] = row
    return list(best.values())


def _worth(row: Row) -> tuple[float, int]:
    return row.score or 0.0, -row.steps


def told_of_clock(evidence: Evidence) -> str:
    """Return what to say after a result that rests on campaigns which time cut short."""
    cut = [name for name, left in evidence.rollouts.cut.items() if left]
    return f"; the clock cut {' and '.join(cut)} short" if cut else ""


def mean(evidence: Evidence, rows: Sequence[Row]) -> MeanScore | Undefined:
    """Return the mean of some scored episodes of any kind, starts taken as clusters."""
    scores = scores_of(rows)
    return mean_score(scores, [start_of(row.key) for row in rows], bounds=_bounds(evidence, rows))


def learned(evidence: Evidence, probe: str) -> Learned | None:
    """Return how a learner got better, None for a probe that is none."""
    trained = part_of(evidence, probe, "train")
    every = [r for r in evidence.table.campaigns if _is_training(r, probe)]
    if not every:
        return None
    after, control = (part_of(evidence, probe, part) for part in ("after", "control"))
    held_out = _held_out(evidence, probe)
    unseen = [row for row in after if _place(row) in held_out]
    seen = [row for row in after if _place(row) not in held_out]
    order = [row.key.repeat for row in trained]
    return Learned(
        episodes=len(trained),
        curve=curve(scores_of(trained), order),
        slope=learning_slope(
            scores_of(trained),
            order,
            [_place(row) for row in trained],
            turn=len({_place(row) for row in every}),
        ),
        improvement=_gain(evidence, after, control),
        gap=_gap(evidence, seen, unseen),
    )


def _is_training(row: Row, probe: str) -> bool:
    return row.key.probe == probe and row.key.campaign == "train"


def _gain(evidence: Evidence, after: Sequence[Row], control: Sequence[Row]) -> Estimate | Undefined:
    """Return how much more a learner earned than its control, in the mean over pairs of episodes.

    The two episodes of a pair were played one after the other, in an order drawn by lot. So where
    the reward does not depend on what is done, either is as likely to be the better one, even if
    rewards drift with time, and pairs are independent.
    """
    other = {(_place(row), row.key.repeat): row for row in control}
    pairs = [(row, other[at]) for row in after if (at := (_place(row), row.key.repeat)) in other]
    if not pairs:
        return Undefined(reason="no episode and its control were scored", n=0)
    return paired_difference(
        scores_of([row for row, _ in pairs]),
        scores_of([row for _, row in pairs]),
        bounds=_bounds(evidence, [*after, *control]),
    )


def _gap(evidence: Evidence, seen: Sequence[Row], unseen: Sequence[Row]) -> Estimate | Undefined:
    rows = [*seen, *unseen]
    sides = [
        mean_score(
            scores_of(side),
            [start_of(row.key) for row in side],
            bounds=_bounds(evidence, rows),
        )
        for side in (seen, unseen)
    ]
    one, other = sides
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        return Undefined(reason="no start was held out and scored", n=0)
    return Difference(of=one, less=other)


def _held_out(evidence: Evidence, probe: str) -> set[tuple[str, int | None]]:
    """Return the starts that a learner was scored on and never learned on."""
    trained = {_place(row) for row in evidence.table.campaigns if _is_training(row, probe)}
    return {
        _place(row)
        for row in evidence.table.campaigns
        if row.key.probe == probe and _place(row) not in trained
    }


def _place(row: Row) -> tuple[str, int | None]:
    return row.key.task, row.key.seed


def _bounds(evidence: Evidence, rows: Sequence[Row]) -> tuple[float, float] | None:
    """Return the bounds of a run's scores, widened where some of these lie outside."""
    known, scores = evidence.score_bounds, scores_of(rows)
    if not scores.size:
        return known
    low, high = float(scores.min()), float(scores.max())
    if known is None:
        return None
    return as_known(known, min(known[0], low), max(known[1], high))
