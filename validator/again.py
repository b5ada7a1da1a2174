"""Plays stored episodes again, action by action, to show a finding once more."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metrics.divergence import Divergence, diverges
from metrics.volatile import VOLATILE
from validator.client.faults import SessionFault
from validator.client.frames import Frame, Json, parse
from validator.client.session import Session
from validator.table import EpisodeTable, Row, trace_of
from validator.targets.base import Server


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """One stored episode, and how it went this time."""

    row: Row
    recorded: list[dict[str, Json]]
    """What came back then, step by step; the reset is the first."""
    now: list[dict[str, Json]]
    sent: tuple[Frame, ...]
    fault: str = ""
    """Why it ended early this time; empty where it did not."""

    @property
    def difference(self) -> Divergence | None:
        """Return where this time first differs from then, ids and clocks aside."""
        return diverges(self.recorded, self.now, ignore=VOLATILE)

    @property
    def broke_again(self) -> bool:
        """Say whether it broke off then and now, after the same."""
        return bool(self.fault) and self.row.ended == "failed" and self.difference is None


def episodes_named(text: str, table: EpisodeTable) -> list[Row]:
    """Return the episodes whose names stand in a finding's text, in its order."""
    by_path = {row.key.path: row for row in table.everything}
    words = (word.strip(",;.:()") for word in text.split())
    return list({word: by_path[word] for word in words if word in by_path}.values())


async def play_again(server: Server, table: EpisodeTable, rows: Sequence[Row]) -> list[Again]:
    """Play stored episodes once more, each after those that its session had played before.

    An episode of a campaign is played alone: how it was chosen is not done again, only what was
    chosen. What comes after one that breaks off as it did then is not played: that may have ended
    the server.
    """
    played: list[Again] = []
    for row in rows:
        played.append(await _one(server, table, row))
        if played[-1].broke_again:
            break
    return played


async def _one(server: Server, table: EpisodeTable, row: Row) -> Again:
    before = [
        other
        for other in table.everything
        if not row.key.campaign and other.session == row.session and other.position < row.position
    ]
    before.sort(key=lambda other: other.position)
    session, fault = None, ""
    frames: tuple[Frame, ...] = ()
    try:
        session = await server.session()
        for other in before:
            await resend(session, table.frames(other))
        session.take_frames()
        await resend(session, table.frames(row))
    except SessionFault as broken:
        fault = str(broken)
    finally:
        if session is not None:
            frames = session.take_frames()
            await session.close()
    return Again(
        row=row,
        recorded=trace_of(table.frames(row)),
        now=trace_of(frames),
        sent=frames,
        fault=fault,
    )


async def resend(session: Session, frames: Iterable[Frame]) -> None:
    """Send what was sent then, in the same order."""
    for frame in frames:
        if frame.way != "sent":
            continue
        message = parse(frame.text)
        assert isinstance(message, dict)
        data = message.get("data")
        match message["type"]:
            case "reset" if isinstance(data, dict):
                seed = data.pop("seed", None)
                await session.reset(seed=seed if isinstance(seed, int) else None, options=data)
            case "step":
                await session.step(data)
            case "state":
                await session.state()
            case _:
                await session.say(message)
