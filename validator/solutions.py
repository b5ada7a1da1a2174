"""What a run knows of the author's solutions: the score they should earn, and their variants."""

import json
from collections import Counter

from validator.client.frames import Json
from validator.evidence import Evidence
from validator.mutants import Solved, mutants
from validator.rollouts.needs import Scale
from validator.rollouts.start import VARIANT, Start, Trajectory
from validator.scoring import at_least
from validator.table import Row
from validator.targets.base import Task

MOST_SOLUTIONS = 6
"""Solutions of which variants are walked, fewer on a small budget."""

FEWEST_CLOSED = 3
"""Solutions that must end in the same action before it is taken for one that closes."""


def top_score(evidence: Evidence) -> float | None:
    """Return what a solution should earn, tolerance and rounding off; None where nothing says."""
    threshold, _ = evidence.success
    reward = evidence.manifest.validation.reward if evidence.manifest.validation else None
    tolerance = reward.oracle_tolerance if reward else 0.0
    return None if threshold is None else at_least(threshold - tolerance)


def solved(evidence: Evidence) -> list[Row]:
    """Return the walks of solutions that earned what they should."""
    top = top_score(evidence)
    if top is None:
        return []
    return [row for row in evidence.oracle if row.score is not None and row.score >= top]


def begin_of(evidence: Evidence, row: Row) -> Start:
    """Return the start of an episode that was played."""
    options = {name: value for name, value in evidence.reset_of(row).items() if name != "seed"}
    return Start(task=Task(id=row.key.task, options=options), seed=row.key.seed)


def variants(evidence: Evidence, scale: Scale) -> tuple[Trajectory, ...]:
    """Return the variants of some of the solutions that earned what they should."""
    rows = solved(evidence)[: min(MOST_SOLUTIONS, scale.replayed_starts)]
    found = [
        Solved(walk=row.key.walk, start=begin_of(evidence, row), actions=evidence.actions(row))
        for row in rows
        if row.steps
    ]
    return tuple(mutants(found)) if found else ()


def is_refusal(evidence: Evidence, row: Row) -> bool:
    """Say whether the author names the task as one on which doing nothing is right."""
    tasks = evidence.manifest.envassay.tasks
    if tasks is None or not tasks.refuse:
        return False
    named = {str(name) for name in tasks.refuse}
    if row.key.task in named:
        return True
    return row.key.task.startswith("@") and any(
        str(value) in named for value in evidence.reset_of(row).values()
    )


CLOSING = "closing"
"""Variant of a solution that takes nothing but the action that closes an episode."""


def closings(evidence: Evidence, scale: Scale) -> tuple[Trajectory, ...]:
    """Return walks that close the episode at once, on each start whose solution does more.

    The closing action is the last one of more than half of the solutions, word for word the
    same; where there is none, there are no such walks. A solution that begins with it, too, takes
    a step of the task by it and closes nothing.
    """
    longer = {row: actions for row in solved(evidence) if len(actions := evidence.actions(row)) > 1}
    last = Counter(json.dumps(actions[-1], sort_keys=True) for actions in longer.values())
    if not last:
        return ()
    spelled, times = last.most_common(1)[0]
    if times < FEWEST_CLOSED or 2 * times <= len(longer):
        return ()
    closing: Json = json.loads(spelled)
    longer = {row: actions for row, actions in longer.items() if actions[0] != closing}
    return tuple(
        Trajectory(
            id=f"{row.key.walk}{VARIANT}{CLOSING}",
            start=begin_of(evidence, row),
            actions=(closing,),
        )
        for row in list(longer)[: scale.starts]
    )


def walked(evidence: Evidence, variant: str) -> list[Row]:
    """Return the scored walks of one kind of variant."""
    return [
        row
        for row in evidence.table.rows
        if row.key.walk.endswith(f"{VARIANT}{variant}")
        and row.key.replay == 0
        and row.score is not None
    ]
