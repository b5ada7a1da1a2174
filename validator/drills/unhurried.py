"""Plays what did not repeat once more, alone and slowly, to tell a matter of time from chance."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import ClassVar

from metrics.divergence import diverges
from metrics.volatile import VOLATILE
from validator.again import resend
from validator.client.faults import SessionFault
from validator.client.frames import Frame, Json
from validator.drills.base import DrillRecord, Ground
from validator.table import EpisodeTable, Row, trace_of

MOST_STARTS = 3
LEAST_PLAYS, MOST_PLAYS = 4, 8
"""Plays of each start; all of them for one alone. A fair coin falls alike in 1 of 128."""
PAUSE_SECONDS = 0.2
PAUSED_STEPS = 3
"""Actions before which it waits: the last ones up to the difference, and that itself."""


class Unhurried:
    """Repeats under one seed that parted after the reset, up to where they did.

    One session at a time, and time for what an action has begun to end before the next one. What
    is drawn at random differs then as before; what depends on how fast actions come does not.
    """

    name: ClassVar[str] = "unhurried"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return the episodes that were played, how often, and whether all plays agreed.

        Nothing where everything repeated, or parted at the reset, where there is no hurry.
        """
        parted = _parted(ground.table) if ground.table else {}
        if not parted or 0 in parted.values():
            return {}
        assert ground.table is not None
        plays = max(LEAST_PLAYS, MOST_PLAYS // len(parted))
        facts: dict[str, Json] = {"episodes": [row.key.path for row in parted], "plays": plays}
        for row, step in parted.items():
            frames = _until(ground.table.frames(row), step)
            first = await _play(ground, frames, step)
            for _ in range(plays - 1):
                again = await _play(ground, frames, step)
                if diverges(first, again, ignore=VOLATILE) is not None:
                    return facts | {"alike": False}
        return facts | {"alike": True}


def agreed(drills: Mapping[str, DrillRecord]) -> bool:
    """Say whether there was something to play again, and all plays of it agreed."""
    record = drills.get(Unhurried.name)
    return record is not None and not record.fault and record.facts.get("alike") is True


def broken_off(drills: Mapping[str, DrillRecord]) -> str:
    """Return why the exercise was not carried to its end; until then all plays had agreed.

    Empty where it was, or was not carried out.
    """
    record = drills.get(Unhurried.name)
    return record.fault if record is not None else ""


def _parted(table: EpisodeTable) -> dict[Row, int]:
    """Return an original of each of a few starts that did not repeat, with the step it parted at.

    Steps are counted from 1; 0 is the reset.
    """
    found: dict[tuple[str, int | None], tuple[Row, int]] = {}
    for row in table.rows:
        key = row.key
        original = table.get(key.original)
        if not (key.scripted and key.replay and key.condition == "fresh") or original is None:
            continue
        if "failed" in (row.ended, original.ended):
            continue
        difference = diverges(_trace(table, original), _trace(table, row), ignore=VOLATILE)
        if difference is None:
            continue
        place = (key.task, key.seed)
        if place not in found or difference.step < found[place][1]:
            found[place] = (original, difference.step)
    return dict(islice(sorted(found.values(), key=lambda one: one[1]), MOST_STARTS))


def _trace(table: EpisodeTable, row: Row) -> list[dict[str, Json]]:
    return trace_of(table.frames(row))[: row.steps + 1]


def _until(frames: Sequence[Frame], step: int) -> list[Frame]:
    """Return what was sent up to a step, one message each."""
    return [frame for frame in frames if frame.way == "sent"][: step + 1]


async def _play(ground: Ground, sent: Sequence[Frame], step: int) -> list[dict[str, Json]]:
    """Return what comes back, the last actions sent slowly; a broken session is an answer, too."""
    async with ground.session() as session:
        for number, frame in enumerate(sent):
            if number and number > step - PAUSED_STEPS:
                await asyncio.sleep(PAUSE_SECONDS)
            try:
                await resend(session, [frame])
            except SessionFault as fault:
                return [*trace_of(session.take_frames()), {"error": str(fault)}]
        frames = session.take_frames()
    return trace_of(frames)
