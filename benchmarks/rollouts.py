"""Steps per second of our rollouts beside a bare `websockets` loop that sends the same frames.

    python benchmarks/rollouts.py            # prints the table of docs/design/rollouts.md

Both play the same episodes against one echo server in a process of its own, in turn and in
changing order, so that what else the machine does hits both. What is compared is the median.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import connect

from probes.base import Json, Lane, Rung, Seen
from validator.client.limits import Limits
from validator.episodes import EpisodeKey
from validator.events import Audience
from validator.rollouts.casting import Casting
from validator.rollouts.engine import Course, run_plan
from validator.rollouts.plan import Lane as SessionLane
from validator.rollouts.plan import Plan
from validator.rollouts.play import Rules
from validator.rollouts.store import EpisodeStore
from validator.targets.base import Task
from validator.targets.url import UrlTarget

STEPS = 100
EPISODES_PER_SESSION = 8
ACTION = {"message": "a message of ordinary length, as an action is"}


class Parrot:
    """Says the same at every step, as the bare loop does."""

    name = "parrot"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: object) -> "Parrot":
        return self

    def act(self, seen: Seen) -> Json:
        return ACTION


async def ours(url: str, sessions: int) -> float:
    """Return steps per second of the engine, episodes written to disk as in a run."""
    lanes = tuple(
        SessionLane(
            keys=tuple(
                EpisodeKey(task="-", seed=lane * 100 + number, probe="parrot", repeat=0)
                for number in range(EPISODES_PER_SESSION)
            )
        )
        for lane in range(sessions)
    )
    lane = Lane(action_schema=None, tools=None)
    course = Course(
        plan=Plan(lanes=lanes, options={"-": Task(id="-", options={})}),
        casting=Casting({"parrot": Parrot()}, {}, lane=lane, seed=0),
        rules=Rules(max_steps=STEPS),
        most_sessions=sessions,
        seconds=600.0,
    )
    with tempfile.TemporaryDirectory() as folder:
        async with UrlTarget(url).open(Limits()) as server:
            store = EpisodeStore.create(Path(folder) / "episodes.jsonl")
            began = time.perf_counter()
            await run_plan(course, server, store, Audience())
            seconds = time.perf_counter() - began
            store.close()
    return sessions * EPISODES_PER_SESSION * STEPS / seconds


async def bare(url: str, sessions: int) -> float:
    """Return steps per second of a loop that does nothing but send, wait and parse."""
    address = url.replace("http://", "ws://") + "/ws"
    step = json.dumps({"type": "step", "data": ACTION})

    async def session(lane: int) -> None:
        async with connect(address, max_size=None, compression=None) as wire:
            for number in range(EPISODES_PER_SESSION):
                await wire.send(
                    json.dumps({"type": "reset", "data": {"seed": lane * 100 + number}})
                )
                json.loads(await wire.recv())
                for _ in range(STEPS):
                    await wire.send(step)
                    json.loads(await wire.recv())

    began = time.perf_counter()
    await asyncio.gather(*(session(lane) for lane in range(sessions)))
    return sessions * EPISODES_PER_SESSION * STEPS / (time.perf_counter() - began)


def table(url: str, rounds: int) -> None:
    """Measure at 1, 8 and 32 sessions and print a row each."""
    print("| sessions | ours, steps/s | bare loop, steps/s | ratio, median of rounds |")
    print("|---:|---:|---:|---:|")
    for sessions in (1, 8, 32):
        pairs = []
        for number in range(rounds):
            order = [ours, bare] if number % 2 else [bare, ours]
            found = {play: asyncio.run(play(url, sessions)) for play in order}
            pairs.append((found[ours], found[bare]))
        ratio = statistics.median(one / other for one, other in pairs)
        print(
            f"| {sessions} | {statistics.median(p[0] for p in pairs):,.0f} "
            f"| {statistics.median(p[1] for p in pairs):,.0f} | {ratio:.2f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    here = Path(__file__).resolve().parent
    openenv = here.parent / ".servers/openenv-0.10.0/bin/python"
    for title, python, script in (
        ("The stock openenv 0.10.0 server", openenv, "echo_openenv.py"),
        ("A raw `websockets` server, which does nothing else", Path(sys.executable), "echo.py"),
    ):
        with subprocess.Popen(
            [str(python), str(here / script)], stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            try:
                print(f"\n{title}:\n")
                table(server.stdout.readline().strip(), args.rounds)
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
