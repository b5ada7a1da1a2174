"""Lets a signal end a run in order: what was played is kept, and the user told how to go on."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopped(Exception):
    """A signal ended the run."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__(number.name)
        self.number = number


def run_until_signal(road: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine; the first SIGINT or SIGTERM cancels it, a second one ends the process.

    Raises:
        Stopped: a signal came.
    """
    return asyncio.run(_watched(road))


async def _watched(road: Callable[[], Coroutine[Any, Any, T]]) -> T:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(road())
    came: list[signal.Signals] = []

    def stop(number: signal.Signals) -> None:
        came.append(number)
        for each in SIGNALS:
            loop.remove_signal_handler(each)
        task.cancel()

    for number in SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        if came:
            raise Stopped(came[0]) from None
        raise
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
