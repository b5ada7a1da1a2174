"""The few numbers by which environments are ranked and compared."""

from collections import Counter

from metrics.agreement import replay_agreement
from metrics.bootstrap import MeanScore
from metrics.results import Estimate, Undefined
from metrics.signal import live_group_share
from metrics.solvability import floor
from probes.base import Rung
from reports.model import Measure
from validator.beginnings import settled
from validator.evidence import Evidence
from validator.measures import mean_measure, measure
from validator.scoring import at_most
from validator.table import scores_of, start_of
from validator.value import value_of_training


def headline(evidence: Evidence) -> dict[str, Measure]:
    """Return the numbers that stand on top of a report, each with its interval or why none.

    `signal`: share of groups of G episodes that a trainer could learn from, as the best rung of
    the run above `null` plays. `floor`: what can be had without looking. `ceiling`: the top
    of the declared range, else the best score seen, which the true one is not below.
    `reachability`: share of that probe's episodes that succeed. `determinism`: share of
    replays on fresh sessions that agree. `training_value`: where a learner was among the probes,
    how much of what there is to earn training is expected to gain.
    """
    value = (
        {"training_value": measure(value_of_training(evidence))}
        if evidence.probes("learner")
        else {}
    )
    fresh = [pair.difference is None for pair in evidence.pairs if pair.condition == "fresh"]
    return value | {
        "signal": measure(signal(evidence), of="starts", look=evidence.look),
        "floor": measure(task_blind_floor(evidence), of="starts of each probe", look=evidence.look),
        "ceiling": ceiling(evidence),
        "reachability": mean_measure(reachability(evidence), look=evidence.look),
        "determinism": measure(replay_agreement(fresh), of="replays", look=evidence.look),
    }


def signal(evidence: Evidence) -> Estimate | Undefined:
    """Return the live-group share of the run's most capable probe that played whole groups."""
    return signal_at(evidence, evidence.group_size)


def signal_at(evidence: Evidence, group_size: int) -> Estimate | Undefined:
    """Return the live-group share of that probe, for groups of `group_size` episodes."""
    probe = signal_probe(evidence)
    if probe is None:
        return Undefined(reason="no probe above the null rung was run")
    rows = evidence.scored([probe])
    return live_group_share(
        scores_of(rows), [start_of(row.key) for row in rows], group_size=group_size
    )


def signal_probe(evidence: Evidence) -> str | None:
    """Return the probe whose play the signal is of, None where none played."""
    return _most_capable(evidence, whole_groups=True)


def task_blind_floor(evidence: Evidence) -> Estimate | Undefined:
    """Return the floor: the best mean score of the probes that do not look at the task."""
    rows = {probe: evidence.scored([probe]) for probe in evidence.probes("null", "blind")}
    played = {probe: found for probe, found in rows.items() if found}
    return floor(
        {probe: scores_of(found) for probe, found in played.items()},
        clusters_by_probe={
            probe: [start_of(row.key) for row in found] for probe, found in played.items()
        },
        bounds=evidence.score_bounds,
    )


def ceiling(evidence: Evidence) -> Measure:
    """Return the highest score there is to earn."""
    if evidence.score_range is not None:
        return Measure(estimate=evidence.score_range[1], method="declared")
    scores = scores_of(settled(evidence.table.originals()))
    if not scores.size:
        return Measure(estimate=None, undefined="no episode was scored")
    return Measure(
        estimate=float(scores.max()), n=int(scores.size), method="best score seen, a lower bound"
    )


def reachability(evidence: Evidence) -> MeanScore | Undefined:
    """Return the share of the most capable probe's episodes that succeed."""
    probe = _most_capable(evidence)
    threshold = success_score(evidence)
    if probe is None:
        return Undefined(reason="no probe above the null rung was run")
    if threshold is None:
        return Undefined(
            reason="no episode of doing nothing was scored, and no success is declared"
        )
    return evidence.success_share(evidence.scored([probe]), threshold)


def success_score(evidence: Evidence) -> float | None:
    """Return the declared score of a success, else the least that beats doing nothing.

    Doing nothing is what the first null probe does that was scored; the others do little, but
    may hit by chance.
    """
    declared, _ = evidence.success
    if declared is not None:
        return declared
    for probe in evidence.probes("null"):
        if (idle := scores_of(evidence.scored([probe]))).size:
            return at_most(at_most(float(idle.max())))
    return None


def _most_capable(evidence: Evidence, *, whole_groups: bool = False) -> str | None:
    """Return the first probe of the highest rung that was scored, else of the blind one.

    With `whole_groups`, of those that played a group of G on some start.
    """
    order: tuple[Rung, ...] = (
        "oracle", "harness", "model", "learner", "search", "reactive", "blind"
    )  # fmt: skip
    least = evidence.group_size if whole_groups else 1
    for rung in order:
        for name in evidence.probes(rung)[:1]:
            starts = Counter(start_of(row.key) for row in evidence.scored([name]))
            if max(starts.values(), default=0) >= least:
                return name
    return next(iter(evidence.probes("blind")), None)
