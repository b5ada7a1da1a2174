"""Any command as a probe: it reads what an agent sees, and writes what an agent does."""

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from probes.base import Finished, Json, Lane, Rung, Seen, Stuck, Unplayable
from probes.harness.caller import Caller
from probes.harness.process import Broken, Missing, Process
from probes.model.prompt import bounded

PROTOCOL = 1
MCP_PROTOCOL = 2
"""Changes whenever the same episode would be offered otherwise."""
STUCK_IN_A_ROW = 3
LARGEST_OBSERVATION = 2**20
"""Characters of an observation's JSON; a larger one is sent as a text, cut in the middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """What a harness probe may be told."""

    name: str
    command: tuple[str, ...] = field(repr=False)
    environment: Mapping[str, str] = field(repr=False)
    """All environment variables that the command gets."""
    speaks: Literal["lines", "mcp"] = "lines"
    """Lines of JSON over its input and output, or calls of the tools of an MCP server."""
    version: str = ""
    """The user's own word for what the command is; a hash of the command where there is none."""
    starts: int = 20
    repeats: int = 1
    act_seconds: float = 120.0
    """Time for one action, starting the command included."""
    seconds: float = 1_800.0
    """Time from the first episode on after which none is begun."""


class HarnessProbe:
    """A command that plays one episode each time it is started."""

    rung: Rung = "harness"

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.name = f"harness:{harness.name}"
        digest = hashlib.sha256(json.dumps(harness.command).encode()).hexdigest()[:12]
        spoken = PROTOCOL if harness.speaks == "lines" else f"mcp {MCP_PROTOCOL}"
        self.version = f"{spoken} {harness.version or digest}"
        """Version of what is spoken, and the command's: its hash where none is told."""
        self._began: float | None = None
        self._gone = ""
        self._stuck = 0

    @property
    def most(self) -> tuple[int, int]:
        """Return the most starts, and episodes of each."""
        return self.harness.starts, self.harness.repeats

    @property
    def seconds(self) -> float:
        """Return the time that it may take."""
        return self.harness.seconds

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Player | Caller":
        """Start an episode; the command is started when it must act.

        Raises:
            Unplayable: it cannot be started, goes on failing, its time is up, or the actions of the
                environment can be no tools.
        """
        now = time.monotonic()
        self._began = now if self._began is None else self._began
        if now - self._began > self.harness.seconds:
            raise Unplayable(f"its budget of {self.harness.seconds:g} seconds is spent")
        if self._gone:
            raise Unplayable(self._gone)
        if self.harness.speaks == "mcp":
            return Caller(self, lane)
        return _Player(self, lane, int(rng.integers(2**31)))

    async def close(self) -> None:
        """Nothing outlives an episode."""

    def note(self, *, stuck: str) -> None:
        """Count an episode that failed, or an action where `stuck` is empty."""
        self._stuck = self._stuck + 1 if stuck else 0
        if self._stuck >= STUCK_IN_A_ROW:
            self._gone = f"{self._stuck} episodes in a row failed, the last: {stuck}"

    def missing(self, why: str) -> None:
        """Note that the command cannot be started."""
        self._gone = why


class _Player:
    """One run of the command."""

    def __init__(self, probe: HarnessProbe, lane: Lane, seed: int) -> None:
        self._probe = probe
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
        harness = self._probe.harness
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
            self._probe.missing(str(fault))
            raise Unplayable(str(fault)) from None
        self._probe.note(stuck="")
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
            harness = self._probe.harness
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
        self._probe.note(stuck=why)
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
