"""A harness that reads and writes lines of JSON, in one episode."""

import asyncio
import json

from probes.base import Finished, Json, Lane, Seen, Stuck, Unplayable
from probes.harness.harness import Harness, Standing
from probes.harness.process import Broken, Missing, Process
from probes.model.prompt import bounded

PROTOCOL = 1
"""Changes whenever the same episode would be offered otherwise."""
LARGEST_OBSERVATION = 2**20
"""Characters of an observation's JSON; a larger one is sent as a text, cut in the middle."""


class Player:
    """One run of the command."""

    def __init__(self, harness: Harness, standing: Standing, lane: Lane, seed: int) -> None:
        self._harness = harness
        self._standing = standing
        self._lane = lane
        self._seed = seed
        self._process: Process | None = None

    async def act(self, seen: Seen) -> Json:
        """Return the command's action.

        Raises:
            Finished: it says that it is done.
            Stuck: it failed, or gives up.
            Unplayable: it cannot be started.
        """
        harness = self._harness
        try:
            async with asyncio.timeout(harness.act_seconds):
                process = await self._started()
                await process.say(_message(seen))
                answer = await process.hear("action", "done", "give_up")
        except TimeoutError:
            raise self._failed(f"no action within {harness.act_seconds:g} s") from None
        except Broken as fault:
            raise self._failed(f"the command {fault}") from None
        except Missing as fault:
            self._standing.missing(str(fault))
            raise Unplayable(str(fault)) from None
        self._standing.acted()
        if "action" in answer:
            return answer["action"]
        if answer.get("done") is True:
            raise Finished
        raise Stuck(f"the command gives up: {str(answer.get('give_up'))[:300]}")

    async def close(self) -> None:
        """End the command."""
        if self._process is not None:
            process, self._process = self._process, None
            await process.end()

    async def _started(self) -> Process:
        if self._process is None:
            harness = self._harness
            self._process = await Process.start(harness.command, harness.environment)
            tools = self._lane.tools
            await self._process.say(
                {
                    "type": "begin",
                    "protocol": PROTOCOL,
                    "action_schema": self._lane.action_schema,
                    "tools": None if tools is None else [dict(tool) for tool in tools],
                    "seed": self._seed,
                }
            )
        return self._process

    def _failed(self, why: str) -> Stuck:
        if self._process is not None:
            self._process.kill()
        self._standing.failed(why)
        return Stuck(why)


def _message(seen: Seen) -> dict[str, Json]:
    observation = seen.observation
    text = json.dumps(observation)
    if len(text) > LARGEST_OBSERVATION:
        observation = bounded(text, LARGEST_OBSERVATION)
    return {
        "type": "act",
        "step": seen.step,
        "observation": observation,
        "reward": seen.reward,
        "error": seen.error,
    }
