"""Plays one episode of a harness over what it is shown."""

import asyncio
from typing import Any

import numpy as np

from probes.base import Json, Lane, Seen
from probes.harness.tier import HarnessProbe

MOVES = Lane(
    action_schema={
        "type": "object",
        "properties": {
            "metadata": {"type": "object"},
            "move": {"enum": ["up", "down"]},
            "far": {"type": "integer", "minimum": 2},
        },
        "required": ["move", "far"],
    },
    tools=None,
)


def plays(probe: HarnessProbe, *looks: Seen, lane: Lane = MOVES) -> list[Json]:
    """Return the actions of an episode that is over after some looks."""

    async def episode() -> list[Json]:
        agent = probe.begin(lane, np.random.default_rng(0))
        try:
            return [await agent.act(seen) for seen in looks]
        finally:
            await agent.close()

    return asyncio.run(episode())


def seen(step: int = 0, observation: Json = "a door", **more: Any) -> Seen:
    return Seen(observation=observation, step=step, **more)
