"""How an environment compares with what was recorded of it on another visit, or on a twin."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from typing import Any

from metrics.divergence import Divergence, diverges
from metrics.volatile import VOLATILE
from validator.again import resend
from validator.baseline import Baseline
from validator.client.faults import Refused, SessionFault
from validator.client.frames import Json
from validator.client.session import Session
from validator.table import EpisodeTable, Row, trace_of
from validator.targets.base import About

ROUNDED = VOLATILE | {"jitter"}
"""Kinds of difference that are none: ids, clocks, and the last bits of numbers."""
EPISODES = 6
"""Recorded episodes that are played again."""
TIMES = 3
"""Plays of each: what does not repeat there either says nothing."""
PATIENCE = (0.1, 0.4, 1.6)
"""Seconds before a session that was refused is asked for again: slots are freed late."""

PARTS = ("schema", "metadata", "tools", "tasks", "read tasks")
"""In the order in which a difference is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The first part of what a server says of itself that differs between two visits."""

    part: str
    difference: Divergence | None
    """Where in the part; None where only hashes were kept."""


def first_change(baseline: Baseline, about: About) -> Change | None:
    """Return what a server says otherwise than on the earlier visit, ids and clocks aside.

    A report of before hashes were kept by part is held against the whole fingerprint, the names
    of its tools and the numbers of its tasks.
    """
    then = baseline.report.target
    if then.fingerprint == about.fingerprint:
        return None
    if baseline.served is not None:
        for part in PARTS:
            one, other = baseline.served.get(part), about.telling.get(part)
            if difference := diverges([{part: one}], [{part: other}], ignore=VOLATILE):
                return Change(part=part, difference=difference)
        return None
    if then.parts:
        now = about.parts
        changed = (part for part in PARTS if then.parts.get(part) != now.get(part))
        return Change(part=next(changed, "fingerprint"), difference=None)
    tools = None if about.tools is None else [tool.name for tool in about.tools]
    tasks = None if about.tasks is None else dict(about.tasks.counts)
    named: tuple[tuple[str, Any, Any], ...] = (
        ("tools", then.tools, tools),
        ("tasks", then.tasks, tasks),
    )
    for part, before, now in named:
        if difference := diverges([{part: before}], [{part: now}]):
            return Change(part=part, difference=difference)
    return Change(part="fingerprint", difference=None)


def steady(table: EpisodeTable, most: int = EPISODES) -> list[Row]:
    """Return scripted episodes and solutions that came out the same whenever they were repeated.

    First one of each start, then further ones; a third of them solutions, where some are there.
    None where any of the run did not repeat, for then the others may have done so by chance.
    """
    repeats: dict[Row, list[Row]] = {}
    for row in table.rows:
        original = table.get(row.key.original)
        if original is None or row is original or row.key.condition != "fresh":
            continue
        if row.key.scripted or row.key.walk.startswith("oracle/"):
            repeats.setdefault(original, []).append(row)
    kept = [
        row
        for row, others in sorted(repeats.items(), key=lambda pair: pair[0].key.repeat)
        if row.position == 0 and "failed" not in {one.ended for one in (row, *others)}
    ]
    alike = all(_alike(table, row, other) for row in kept for other in repeats[row])
    walks = [row for row in kept if row.key.walk][: most // 3]
    scripts = [row for row in kept if not row.key.walk][: most - len(walks)]
    return [*scripts, *walks] if alike else []


async def revisit(
    table: EpisodeTable,
    rows: Sequence[Row],
    open_session: Callable[[], AbstractAsyncContextManager[Session]],
) -> list[Json]:
    """Play recorded episodes again, action by action, each on sessions of its own.

    Returns:
        For each its name (`episode`), why it could not be played (`fault`), whether it came out
        the same each time (`steady`), where it first differs from the record (`difference`: a
        `Divergence` as an object, or null), and whether only the last bits of numbers differ
        (`rounding`).
    """
    return [await _revisit(table, row, open_session) for row in rows]


async def _revisit(
    table: EpisodeTable,
    row: Row,
    open_session: Callable[[], AbstractAsyncContextManager[Session]],
) -> dict[str, Json]:
    found: dict[str, Json] = {"episode": row.key.path, "fault": "", "steady": True}
    recorded = _trace(table, row)
    plays: list[list[dict[str, Json]]] = []
    try:
        for _ in range(TIMES):
            plays.append(await _play(table, row, open_session))
    except SessionFault as fault:
        return found | {"fault": str(fault)[:200], "difference": None, "rounding": False}
    difference = diverges(recorded, plays[0], ignore=ROUNDED)
    return found | {
        "steady": all(diverges(plays[0], one, ignore=ROUNDED) is None for one in plays[1:]),
        "difference": told(difference),
        "rounding": difference is None
        and diverges(recorded, plays[0], ignore=VOLATILE) is not None,
    }


async def _play(
    table: EpisodeTable,
    row: Row,
    open_session: Callable[[], AbstractAsyncContextManager[Session]],
) -> list[dict[str, Json]]:
    """Return what comes back when an episode's actions are sent again.

    Raises:
        SessionFault: it cannot be played to its end.
    """
    for pause in (*PATIENCE, None):
        try:
            async with open_session() as session:
                await resend(session, table.frames(row))
                return trace_of(session.take_frames())[: row.steps + 1]
        except Refused:
            if pause is None:
                raise
            await asyncio.sleep(pause)
    raise AssertionError("unreachable")


def telling_of(played: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return what `revisit` played to its end; nothing where anything did not repeat."""
    if not all(one["steady"] for one in played):
        return []
    return [one for one in played if not one["fault"]]


def told(difference: Divergence | None) -> dict[str, Any] | None:
    """Return a difference as plain JSON."""
    return None if difference is None else asdict(difference)


def _alike(table: EpisodeTable, one: Row, other: Row) -> bool:
    return diverges(_trace(table, one), _trace(table, other), ignore=VOLATILE) is None


def _trace(table: EpisodeTable, row: Row) -> list[dict[str, Json]]:
    return trace_of(table.frames(row))[: row.steps + 1]
