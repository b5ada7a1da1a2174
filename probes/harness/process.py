"""One command, started for one episode: lines of JSON in, lines of JSON out, then ended.

It runs in a process group of its own and in a folder of its own; both are gone when the episode
is over. It gets the environment variables that it is given and no others.
"""

import asyncio
import json
import os
import signal
import tempfile
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress

from probes.base import Json

LONGEST_LINE = 2**20
MOST_READ = 4 * 2**20
"""Bytes that are read for one answer; what is no answer is passed over."""
MOST_WRITTEN = 64 * 2**20
"""Bytes of what nobody waits for: its error output, and all its output where it is not heard."""
GRACE_SECONDS = 2.0
"""Time to end by itself once its input has ended."""
KEPT_LINES = 20


class Broken(Exception):
    """The command ended, fell silent or said nothing usable; the text says which."""


class Missing(Exception):
    """The command cannot be started at all."""


class Process:
    """A running command."""

    def __init__(self, child: asyncio.subprocess.Process, folder: tempfile.TemporaryDirectory[str]):
        self._child = child
        self._folder = folder
        self._complaints: deque[str] = deque(maxlen=KEPT_LINES)
        self._written = 0
        others = [child.stderr] if child.stdin is not None else [child.stderr, child.stdout]
        self._listening = asyncio.gather(*(self._listen(one) for one in others if one is not None))

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        folder: tempfile.TemporaryDirectory[str] | None = None,
        heard: bool = True,
    ) -> "Process":
        """Start a command.

        Args:
            command: Its words.
            environment: All its environment variables.
            folder: Where it runs; an empty one where none is given. It is removed in the end.
            heard: Whether it is talked with. Where it is not, its input has ended as it starts.

        Raises:
            Missing: it is not there, or may not be run.
        """
        folder = folder or tempfile.TemporaryDirectory(
            prefix="envassay-", ignore_cleanup_errors=True
        )
        try:
            child = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE if heard else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                cwd=folder.name,
                env=dict(environment),
                start_new_session=True,
            )
        except (OSError, ValueError) as fault:
            folder.cleanup()
            why = getattr(fault, "strerror", None) or str(fault)
            raise Missing(f"{command[0]} cannot be started ({why})") from None
        return cls(child, folder)

    async def say(self, message: Mapping[str, Json]) -> None:
        """Send one line.

        Raises:
            Broken: nobody reads it.
        """
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps(message).encode() + b"\n")
            await self._child.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise Broken(await self._ending()) from None

    async def hear(self, *keys: str) -> dict[str, Json]:
        """Return the next line that is a JSON object with one of some keys.

        Raises:
            Broken: it ended, or said too much without one.
        """
        assert self._child.stdout is not None
        read = 0
        while read < MOST_READ:
            try:
                line = await self._child.stdout.readline()
            except ValueError:  # longer than the limit of the stream
                raise Broken(f"wrote a line of more than {LONGEST_LINE} bytes") from None
            if not line:
                raise Broken(await self._ending())
            read += len(line)
            with suppress(ValueError, RecursionError):
                found = json.loads(line, parse_constant=_refuse)
                if isinstance(found, dict) and not found.keys().isdisjoint(keys):
                    return found
        raise Broken(f"wrote {MOST_READ} bytes without an answer")

    async def end(self, *, grace: float = GRACE_SECONDS) -> None:
        """End its input, then the command and all that it started."""
        with suppress(OSError, RuntimeError):
            if self._child.stdin is not None:
                self._child.stdin.close()
        try:
            async with asyncio.timeout(grace):
                await self._child.wait()
        except TimeoutError:
            pass
        finally:
            self.kill()
            await self._child.wait()
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
            self._folder.cleanup()

    async def ended(self) -> tuple[int, str]:
        """Wait until it has ended; return its code, and in words how that was."""
        code = await self._child.wait()
        return code, await self._ending()

    def kill(self) -> None:
        """Kill the whole process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)

    async def _listen(self, output: asyncio.StreamReader) -> None:
        """Keep the last lines of an output, so that it never blocks on it."""
        while True:
            try:
                line = await output.readline()
            except ValueError:
                self._written += LONGEST_LINE
                continue
            if not line:
                return
            self._written += len(line)
            if self._written > MOST_WRITTEN:
                self.kill()
            self._complaints.append(line.decode("utf-8", "replace").strip()[:300])

    async def _ending(self) -> str:
        """Return in words how it ended."""
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                code = await self._child.wait()
                await self._listening
        except TimeoutError:
            return "closed its output"
        if self._written > MOST_WRITTEN:
            return f"wrote more than {MOST_WRITTEN} bytes"
        said = next((line for line in reversed(self._complaints) if line), "")
        return f"ended with code {code}" + (f": {said}" if said else "")


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
