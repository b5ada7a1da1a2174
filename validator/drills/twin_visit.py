"""Plays episodes of this run on a second server of the same environment."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import ClassVar

from metrics.divergence import diverges
from metrics.volatile import VOLATILE
from validator.client.frames import Json
from validator.client.session import Session
from validator.drills.base import Ground
from validator.errors import TargetError
from validator.revisits import revisit, steady, told
from validator.targets.base import About, Server

PARTS = ("schema", "tools", "tasks", "read tasks")
"""What two hosts must say alike; metadata may name the host."""


class TwinVisit:
    """Six episodes that repeat here, three times each there; nothing where no twin is named."""

    name: ClassVar[str] = "twin_visit"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return what the twin says of itself otherwise, and how the episodes went there."""
        if ground.twin is None or ground.table is None:
            return {}
        rows = steady(ground.table)
        try:
            async with ground.twin.open(ground.limits) as server:
                ours, theirs = ground.server.about, server.about
                episodes = await revisit(ground.table, rows, lambda: _session(server))
        except TargetError as fault:
            return {"unreachable": str(fault)[:300]}
        return {
            "url": theirs.url,
            "versions": [ours.version, theirs.version],
            "described": _described(ours, theirs),
            "episodes": episodes,
        }


def _described(ours: About, theirs: About) -> Json:
    """Return the first part of the description that differs, and where; null where none does."""
    for part in PARTS:
        one, other = ours.telling.get(part), theirs.telling.get(part)
        if difference := diverges([{part: one}], [{part: other}], ignore=VOLATILE):
            return told(difference)
    return None


@asynccontextmanager
async def _session(server: Server) -> AsyncIterator[Session]:
    session = await server.session()
    try:
        yield session
    finally:
        await session.close()
