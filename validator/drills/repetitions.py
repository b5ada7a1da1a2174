"""Plays the same short episode over and over, alone, with a question that plays nothing between.

The question is the state: what slows it down slows down everything, and is no drift. In the end the
run's first episodes are played again, action by action, so that like is compared with like.
"""

import re
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from validator.client.frames import Json
from validator.client.reading import Observed, Reading, StateRead
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.calls import legal_action
from validator.drills.playing import begin
from validator.rollouts.start import Start
from validator.table import EpisodeTable, Row, actions_of

REPETITIONS = 150
SECONDS = 12.0
"""Time after which no further repetition is begun."""
AGAIN, AGAIN_STEPS = 6, 10
"""Episodes from the run's beginning that are played again, and most steps of each."""
AGAIN_SECONDS = 4.0
_MEMORY = re.compile(r"(?:^|_)(?:rss|mem|memory|heap)(?:_|$)")


class Repetitions:
    """One session; each repetition asks for the state, resets, and takes one step."""

    name: ClassVar[str] = "repetitions"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return the start, the seconds of each question, reset and step, and what memory was told.

        A repetition counts only where all three were answered. `then` and `again` are the seconds
        of steps in the first episodes of that start, and of the same steps now.
        """
        asked: list[Json] = []
        resets: list[Json] = []
        steps: list[Json] = []
        told: dict[str, Json] = {}
        then: list[Json] = []
        again: list[Json] = []
        start = ground.starts[0]
        facts: dict[str, Json] = {
            "start": [start.task.id, start.seed],
            "asked": asked,
            "resets": resets,
            "steps": steps,
            "memory": told,
            "then": then,
            "again": again,
        }
        action = legal_action(ground, 0)
        until = time.perf_counter() + SECONDS
        async with ground.session() as session:
            if await begin(session, start) is None:
                return facts
            for _ in range(REPETITIONS):
                if time.perf_counter() > until:
                    break
                taken = await _repeat(ground, session, action, told)
                session.take_frames()
                if taken is not None:
                    for seconds, each in zip(taken, (asked, resets, steps), strict=True):
                        each.append(seconds)
            for was, now in await _played_again(session, start, ground.table):
                then.append(was)
                again.append(now)
        return facts


async def _played_again(
    session: Session, start: Start, table: EpisodeTable | None
) -> list[tuple[float, float]]:
    """Return the seconds of steps in the first episodes of a start, each beside the same now."""
    found: list[tuple[float, float]] = []
    until = time.perf_counter() + AGAIN_SECONDS
    for row in _first(start, table) if table else ():
        if not isinstance(await begin(session, start), Observed):
            break
        sent: list[Any] = list(actions_of(table.frames(row))) if table else []
        actions = [one["data"] for one in sent if one.get("type") == "step"]
        for was, action in list(zip(row.step_seconds, actions, strict=False))[:AGAIN_STEPS]:
            if time.perf_counter() > until:
                return found
            reading, now = await _timed(partial(session.step, action))
            if not isinstance(reading, Observed):
                break
            found.append((round(was, 7), now))
        session.take_frames()
    return found


def _first(start: Start, table: EpisodeTable) -> list[Row]:
    """Return the first episodes of a start that were played in this run without an error."""
    kept = [
        row
        for row in table.rows
        if (row.key.task, row.key.seed) == (start.task.id, start.seed)
        and row.started
        and row.answered == row.steps > 0
        and len(row.step_seconds) > 0
    ]
    return sorted(kept, key=lambda row: row.offset)[:AGAIN]


async def _repeat(
    ground: Ground, session: Session, action: dict[str, Json] | None, told: dict[str, Json]
) -> tuple[float, float, float] | None:
    start = ground.starts[0]
    state, asked = await _timed(session.state)
    _read_memory(state, told)
    first, reset = await _timed(lambda: session.reset(seed=start.seed, options=start.task.options))
    if not isinstance(first, Observed):
        return None
    if action is None or first.done:
        return asked, reset, 0.0
    reading, step = await _timed(lambda: session.step(action))
    return (asked, reset, step) if isinstance(reading, Observed) else (asked, reset, 0.0)


async def _timed(ask: Callable[[], Awaitable[Reading]]) -> tuple[Reading, float]:
    began = time.perf_counter()
    reading = await ask()
    return reading, round(time.perf_counter() - began, 7)


def _read_memory(reading: Reading, told: dict[str, Json]) -> None:
    """Add what the state tells of memory: numbers under a name for it."""
    state = reading.state if isinstance(reading, StateRead) else None
    if not isinstance(state, dict):
        return
    for name, value in list(state.items())[:200]:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and len(name) <= 80 and _MEMORY.search(name.lower()):
            kept = told.setdefault(name, [])
            if isinstance(kept, list):
                kept.append(value)
