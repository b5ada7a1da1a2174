"""Begins episodes anew in the middle of others on one session."""

from collections.abc import Mapping
from typing import Any, ClassVar

from metrics.divergence import Divergence, diverges
from metrics.volatile import VOLATILE
from validator.again import resend
from validator.client.faults import SessionFault
from validator.client.frames import Frame, Json
from validator.drills.base import Ground
from validator.revisits import steady, told
from validator.table import EpisodeTable, Row, trace_of
from validator.totals import Later, only_totals

EPISODES = 6
"""Episodes that are begun in the middle of another one; a third of them declared solutions."""
TURNS = 2
"""Times that a difference must show again."""


class Abandonment:
    """Recorded episodes that repeat, each begun where another one was left half-way.

    What comes out otherwise is played again on sessions of its own, in turns after the same half
    episode and alone. Only what differs each time, and never alone, is a difference: a server
    that fails now and then does both.
    """

    name: ClassVar[str] = "abandonment"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return for each episode which was left before it, after how many steps, and how it went.

        `difference` is null where it went as recorded; `totals` says whether all differences are
        whole numbers that count the session on.
        """
        if ground.table is None:
            return {"episodes": [], "totals": False}
        rows = steady(ground.table, EPISODES)
        found: list[Json] = []
        later: list[Later] = []
        async with ground.session() as session:
            for position, row in enumerate(rows):
                left = rows[position - 1]
                await resend(session, _half(ground.table, left))
                session.take_frames()
                await resend(session, ground.table.frames(row))
                now = trace_of(session.take_frames())[: row.steps + 1]
                recorded = _trace(ground.table, row)
                later.append(Later(session=0, position=position + 1, alone=recorded, after=now))
                difference = diverges(recorded, now, ignore=VOLATILE)
                found.append(
                    {
                        "episode": row.key.path,
                        "left": left.key.path,
                        "left_after": left.steps // 2,
                        "difference": told(difference),
                    }
                )
        for row, one in zip(rows, found, strict=True):
            assert isinstance(one, dict)
            if one["difference"] is not None and not await _again(ground, row, one):
                one["difference"] = None
        return {"episodes": found, "totals": only_totals(later)}


async def _again(ground: Ground, row: Row, one: Mapping[str, Any]) -> bool:
    """Say whether an episode differs each time after a half one, and never alone."""
    table = ground.table
    assert table is not None
    left = next(other for other in table.rows if other.key.path == one["left"])
    try:
        for _ in range(TURNS):
            if await _play(ground, row, _half(table, left)) is None:
                return False
            if await _play(ground, row, ()) is not None:
                return False
    except SessionFault:
        return False
    return True


async def _play(ground: Ground, row: Row, before: tuple[Frame, ...]) -> Divergence | None:
    assert ground.table is not None
    async with ground.session() as session:
        await resend(session, before)
        session.take_frames()
        await resend(session, ground.table.frames(row))
        now = trace_of(session.take_frames())[: row.steps + 1]
    return diverges(_trace(ground.table, row), now, ignore=VOLATILE)


def _half(table: EpisodeTable, row: Row) -> tuple[Frame, ...]:
    """Return what was sent in the first half of an episode, its reset at least."""
    kept, steps = [], 0
    for frame in table.frames(row):
        if frame.way != "sent":
            continue
        steps += frame.text.startswith('{"type": "step"')
        if steps > row.steps // 2:
            break
        kept.append(frame)
    return tuple(kept)


def _trace(table: EpisodeTable, row: Row) -> list[dict[str, Json]]:
    return trace_of(table.frames(row))[: row.steps + 1]
