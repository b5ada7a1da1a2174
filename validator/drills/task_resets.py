"""Resets to each listed task, and to some that nothing lists."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.divergence import diverges
from metrics.volatile import VOLATILE
from validator.client.frames import Json
from validator.client.reading import Observed, Reading
from validator.client.session import Session
from validator.drills.base import Ground
from validator.rollouts.play import describe
from validator.targets.base import Task

SEEDS = (3, 4)
TRIES = 3
"""Resets tried before a task is said to be refused: some servers are honestly busy at times."""
LONGEST_SHOWN = 200
NUMBERED = re.compile(r"(?:.*/)?\d+")


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a reset gave: a first observation, or the words of a refusal."""

    start: Json
    refusal: str = ""


class TaskResets:
    """One session: a reset without a task, to each listed one, and to those nothing lists.

    A start that nothing lists is held beside the others under two seeds: a server that answers
    with its default, or with some listed task, does not say that there is no such task.
    """

    name: ClassVar[str] = "task_resets"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return which listed tasks were refused, and what those that nothing lists gave."""
        if not ground.listed:
            return {"listed": [], "unlisted": []}
        async with ground.session() as session:
            listed = [await _reset(session, task, SEEDS[0]) for task in ground.listed]
            told: list[Json] = [
                {"id": task.id, "refusal": answer.refusal}
                for task, answer in zip(ground.listed, listed, strict=True)
            ]
            beyond: list[Json] = []
            if _told_apart(listed):
                for task in ground.unlisted:
                    beyond.append(await _beyond(session, task, ground.listed, listed))
        return {"listed": told, "unlisted": beyond}


async def _beyond(
    session: Session, task: Task, tasks: Sequence[Task], listed: Sequence[_Answer]
) -> dict[str, Json]:
    """Return what a task that nothing lists gave, and which start it is the same as."""
    first = await _reset(session, task, SEEDS[0])
    fact: dict[str, Json] = {"id": task.id, "numbered": bool(NUMBERED.fullmatch(task.id))}
    if first.refusal:
        return fact | {"refusal": first.refusal, "same_as": ""}
    second = await _reset(session, task, SEEDS[1])
    plain = Task(id="-", options={})
    defaults = [await _reset(session, plain, seed) for seed in SEEDS]
    same = ""
    if not _same(defaults[0], defaults[1]) and all(
        _same(one, other) for one, other in zip(defaults, (first, second), strict=True)
    ):
        same = "-"
    else:
        for one, answer in zip(tasks, listed, strict=True):
            if _same(first, answer) and _same(second, await _reset(session, one, SEEDS[1])):
                same = one.id
                break
    return fact | {"refusal": "", "same_as": same}


async def _reset(session: Session, task: Task, seed: int) -> _Answer:
    reading: Reading | None = None
    for _ in range(TRIES):
        reading = await session.reset(seed=seed, options=task.options)
        if isinstance(reading, Observed):
            return _Answer(reading.observation)
    assert reading is not None
    return _Answer(None, describe(reading)[:LONGEST_SHOWN] or "refused")


def _same(one: _Answer, other: _Answer) -> bool:
    if one.refusal or other.refusal:
        return False
    a, b = ({"observation": answer.start} for answer in (one, other))
    return diverges([a], [b], ignore=VOLATILE) is None


def _told_apart(answers: Sequence[_Answer]) -> bool:
    """Say whether the first observations of the listed tasks are all different."""
    given = [answer for answer in answers if not answer.refusal]
    return len(given) > 1 and not any(
        _same(one, other) for place, one in enumerate(given) for other in given[:place]
    )
