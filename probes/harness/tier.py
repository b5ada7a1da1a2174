"""Any command as a probe: it reads what an agent sees, and writes what an agent does."""

import hashlib
import json
import time

import numpy as np

from probes.base import Lane, Rung, Unplayable
from probes.harness import caller, player
from probes.harness.caller import Caller
from probes.harness.harness import Harness, Standing
from probes.harness.player import Player


class HarnessProbe:
    """A command that plays one episode each time it is started."""

    rung: Rung = "harness"

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.name = f"harness:{harness.name}"
        digest = hashlib.sha256(json.dumps(harness.command).encode()).hexdigest()[:12]
        spoken = player.PROTOCOL if harness.speaks == "lines" else f"mcp {caller.PROTOCOL}"
        self.version = f"{spoken} {harness.version or digest}"
        """Version of what is spoken, and the command's: its hash where none is told."""
        self._began: float | None = None
        self._standing = Standing()

    @property
    def most(self) -> tuple[int, int]:
        """Return the most starts, and episodes of each."""
        return self.harness.starts, self.harness.repeats

    @property
    def seconds(self) -> float:
        """Return the time that it may take."""
        return self.harness.seconds

    def begin(self, lane: Lane, rng: np.random.Generator) -> Player | Caller:
        """Start an episode; the command is started when it must act.

        Raises:
            Unplayable: it cannot be started, goes on failing, its time is up, or the actions of the
                environment can be no tools.
        """
        now = time.monotonic()
        self._began = now if self._began is None else self._began
        if now - self._began > self.harness.seconds:
            raise Unplayable(f"its budget of {self.harness.seconds:g} seconds is spent")
        if self._standing.gone:
            raise Unplayable(self._standing.gone)
        if self.harness.speaks == "mcp":
            return Caller(self.harness, self._standing, lane)
        return Player(self.harness, self._standing, lane, int(rng.integers(2**31)))

    async def close(self) -> None:
        """Nothing outlives an episode."""
