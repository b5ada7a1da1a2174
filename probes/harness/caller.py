"""A harness that speaks MCP, in one episode: its tool calls are the actions."""

import asyncio
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from probes.base import Finished, Json, Lane, Seen, Stuck, Unplayable
from probes.harness.harness import Harness, Standing
from probes.harness.offer import NAME, OVER, Flooded, Offer
from probes.harness.process import Broken, Missing, Process
from probes.harness.toolset import Tools, writable
from probes.model.prompt import bounded

PROTOCOL = 2
"""Changes whenever the same episode would be offered otherwise."""
URL, CONFIG, TASK = "{mcp_url}", "{mcp_config}", "{task}"
PLACES = (URL, CONFIG, TASK)
"""What stands in a command for where the server is, a file that says so, and the task."""
URL_VARIABLE, CONFIG_VARIABLE = "ENVASSAY_MCP_URL", "ENVASSAY_MCP_CONFIG"
LARGEST_RESULT = 2**20
"""Characters of what is told of an observation; a larger one is cut in the middle."""
LONGEST_WORD = 30_000
"""Characters of the task where it stands in the command."""
RULES = (
    f"You act in an environment, through the tools of the MCP server `{NAME}`, and try to earn as "
    "much reward as you can. Each result shows what the environment says then, and the reward "
    "where there is one. Go on until a result says that the episode is over.\n\n"
    "The environment says now:\n"
)


def speaks_mcp(command: Sequence[str]) -> bool:
    """Say whether a command has a place for something of the server's."""
    return any(place in word for word in command for place in PLACES)


class Caller:
    """One run of the command beside the server that it calls."""

    def __init__(self, harness: Harness, standing: Standing, lane: Lane) -> None:
        self._harness = harness
        self._standing = standing
        self._tools = Tools(lane)
        self._offer: Offer | None = None
        self._process: Process | None = None

    async def act(self, seen: Seen) -> Json:
        """Return the action of the next tool call.

        Raises:
            Finished: the command has ended well.
            Stuck: it failed, or ended without a call.
            Unplayable: it cannot be started.
        """
        harness = self._harness
        try:
            async with asyncio.timeout(harness.act_seconds):
                if self._offer is None:
                    await self._begin(seen)
                else:
                    self._offer.tell(*_result(seen), error=seen.error is not None)
                action = await self._next()
        except TimeoutError:
            raise self._failed(f"no tool call within {harness.act_seconds:g} s") from None
        except (Broken, Flooded) as fault:
            raise self._failed(f"the command {fault}") from None
        except OSError as fault:
            raise self._failed(f"the environment cannot be offered to it ({fault})") from None
        except Missing as fault:
            self._standing.missing(str(fault))
            raise Unplayable(str(fault)) from None
        self._standing.acted()
        return action

    async def over(self, seen: Seen) -> None:
        """Answer the last call with what it brought, and say that it was the last."""
        if self._offer is not None:
            self._offer.tell(*_result(seen), OVER, error=seen.error is not None)
            self._offer.end()

    async def close(self) -> None:
        """End the command, then the server."""
        if self._offer is not None:
            self._offer.end()
        if self._process is not None:
            process, self._process = self._process, None
            await process.end()
        if self._offer is not None:
            await self._offer.close()

    async def _begin(self, seen: Seen) -> None:
        harness = self._harness
        task = RULES + _told(seen.observation)
        self._offer = Offer(self._tools, task)
        await self._offer.open()
        folder = tempfile.TemporaryDirectory(prefix="envassay-", ignore_cleanup_errors=True)
        config = Path(folder.name) / "mcp.json"
        config.write_text(config_of(self._offer.address))
        config.chmod(0o600)
        filled = {
            URL: self._offer.address,
            CONFIG: str(config),
            TASK: bounded(task, LONGEST_WORD).replace("\0", ""),
        }
        self._process = await Process.start(
            [fill(word, filled) for word in harness.command],
            {
                **harness.environment,
                URL_VARIABLE: self._offer.address,
                CONFIG_VARIABLE: str(config),
            },
            folder=folder,
            heard=False,
        )

    async def _next(self) -> Json:
        """Return the next action, or see the command end first."""
        assert self._offer is not None
        assert self._process is not None
        call = asyncio.ensure_future(self._offer.wanted())
        end = asyncio.ensure_future(self._process.ended())
        try:
            await asyncio.wait({call, end}, return_when=asyncio.FIRST_COMPLETED)
            if call.done():
                return call.result()
            code, how = end.result()
        finally:
            for one in (call, end):
                one.cancel()
            await asyncio.gather(call, end, return_exceptions=True)
        if code != 0:
            raise Broken(how)
        if not self._offer.taken:
            raise Broken(f"{how}, without a tool call that could be taken")
        raise Finished

    def _failed(self, why: str) -> Stuck:
        if self._process is not None:
            self._process.kill()
        self._standing.failed(why)
        return Stuck(why)


def config_of(address: str) -> str:
    """Return the `mcpServers` file that names one server."""
    return json.dumps({"mcpServers": {NAME: {"type": "http", "url": address}}}, indent=2)


def fill(word: str, filled: Mapping[str, str]) -> str:
    """Return a word of a command with its places filled; what fills them is not looked at."""
    pattern = "|".join(re.escape(place) for place in filled)
    return re.sub(pattern, lambda found: filled[found[0]], word)


def _result(seen: Seen) -> tuple[str, ...]:
    """Return the parts of a result: what is seen or what refused the call, then the reward."""
    if seen.error is not None:
        return (writable(seen.error),)
    paid = () if seen.reward is None else (f"Reward: {seen.reward:g}",)
    return _told(seen.observation), *paid


def _told(observation: Json) -> str:
    text = observation if isinstance(observation, str) else json.dumps(observation)
    return writable(bounded(text, LARGEST_RESULT))
