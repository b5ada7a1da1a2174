"""Waits for a server that is still starting, as long as it may take and no longer."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from validator.client.http import Answer, Reply
from validator.client.limits import Limits

STARTING = frozenset({429, 502, 503, 504})
"""Statuses of a server, or of what stands before it, that may be up a little later."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds until it is asked again, where it does not say when; they double."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waited:
    """How long a server was waited for."""

    times: int = 0
    """Questions that were turned away, after which it was asked again."""
    seconds: float = 0.0


async def until_up(
    ask: Callable[[], Awaitable[Reply]], plays: Callable[[], Awaitable[bool]], limits: Limits
) -> Waited:
    """Ask until the answer is none of a server that is starting, or the time for that is up.

    A server that wants to be asked later than that (`Retry-After`) is not asked again. One that
    says a second time that it is starting, and still `plays`, is up: its health route is wrong.
    """
    began, times, said, pause = time.monotonic(), 0, 0, FIRST_PAUSE
    while True:
        reply = await ask()
        said += _is_starting(reply)
        if said > 1 and _is_starting(reply) and await plays():
            return Waited(times=times, seconds=time.monotonic() - began)
        waited = time.monotonic() - began
        wait = max(pause, reply.retry_after if isinstance(reply, Answer) else 0.0)
        if waited + wait > _most(reply, limits):
            return Waited(times=times, seconds=waited if times else 0.0)
        times += 1
        await asyncio.sleep(wait)
        pause = min(2 * pause, LONGEST_PAUSE)


def _most(reply: Reply, limits: Limits) -> float:
    """Return the seconds that a server may take which answers so."""
    if isinstance(reply, Answer):
        return limits.start_seconds if _is_starting(reply) else 0.0
    return limits.listen_seconds if reply.cause == "network" else 0.0


def _is_starting(reply: Reply) -> bool:
    return isinstance(reply, Answer) and reply.status in STARTING
