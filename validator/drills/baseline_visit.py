"""Plays episodes of an earlier run again."""

from collections.abc import Mapping
from typing import ClassVar

from validator.client.frames import Json
from validator.drills.base import Ground
from validator.revisits import revisit, steady


class BaselineVisit:
    """Six episodes that repeated then, three times each now; none without an earlier run."""

    name: ClassVar[str] = "baseline_visit"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return how the episodes went this time, and the longest that this run plays."""
        if ground.earlier is None:
            return {"max_steps": ground.max_steps, "episodes": []}
        rows = steady(ground.earlier)
        episodes = await revisit(ground.earlier, rows, ground.session)
        return {"max_steps": ground.max_steps, "episodes": episodes}
