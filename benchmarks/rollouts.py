"""What our rollouts cost beside a bare `websockets` loop and openenv's own async client.

    python benchmarks/rollouts.py              # the tables of docs/design/rollouts.md
    python benchmarks/rollouts.py --long       # 100,000 episodes: memory and bytes on disk

All play the same episodes against one echo server in a process of its own, in turn and in
changing order, so that what else the machine does hits all. What is compared is the median of
the ratios. Ours opens all sessions at once, as the others do, and writes its episodes to disk.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
from validator.table import EpisodeTable
from validator.targets.base import Task
from validator.targets.url import UrlTarget

HERE = Path(__file__).resolve().parent
OPENENV = HERE.parent / ".servers/openenv-0.10.0/bin/python"
ACTION: dict[str, Json] = {"message": "a message of ordinary length, as an action is"}
SESSIONS = (1, 8, 32, 128)
STEPS = 100
LONG_EPISODES, LONG_STEPS = 100_000, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is played."""

    sessions: int
    episodes: int
    """Of each session."""
    steps: int = STEPS

    @property
    def all_steps(self) -> int:
        return self.sessions * self.episodes * self.steps


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds on the clock and of the processor, both of the client."""

    wall: float
    cpu: float


class Parrot:
    """Says the same at every step, as the bare loop does."""

    name = "parrot"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: object) -> "Parrot":
        return self

    def act(self, seen: Seen) -> Json:
        return ACTION


def course_of(load: Load) -> Course:
    """Return a plan of one lane for each session."""
    lanes = tuple(
        SessionLane(
            keys=tuple(
                EpisodeKey(task="-", seed=lane * load.episodes + number, probe="parrot", repeat=0)
                for number in range(load.episodes)
            )
        )
        for lane in range(load.sessions)
    )
    return Course(
        plan=Plan(lanes=lanes, options={"-": Task(id="-", options={})}),
        casting=Casting(
            {"parrot": Parrot()}, {}, lane=Lane(action_schema=None, tools=None), seed=0
        ),
        rules=Rules(max_steps=load.steps),
        most_sessions=load.sessions,
        proven=load.sessions,
        seconds=36_000.0,
    )


async def _engine(url: str, load: Load, folder: Path) -> Spent:
    course = course_of(load)
    async with UrlTarget(url).open(Limits()) as server:
        store = EpisodeStore.create(folder)
        wall, cpu = time.perf_counter(), time.process_time()
        found = await run_plan(course, server, store, Audience())
        store.close()
        spent = Spent(time.perf_counter() - wall, time.process_time() - cpu)
    assert not found.stopped, found.stopped
    return spent


def ours(url: str, load: Load) -> Spent:
    """Play with the engine, episodes written to disk as in a run."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_engine(url, load, Path(folder)))


async def _loop(url: str, load: Load) -> Spent:
    address = url.replace("http://", "ws://") + "/ws"
    step = json.dumps({"type": "step", "data": ACTION})

    async def session(lane: int) -> None:
        async with connect(address, max_size=None, compression=None, open_timeout=60) as wire:
            for number in range(load.episodes):
                seed = lane * load.episodes + number
                await wire.send(json.dumps({"type": "reset", "data": {"seed": seed}}))
                json.loads(await wire.recv())
                for _ in range(load.steps):
                    await wire.send(step)
                    json.loads(await wire.recv())

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(session(lane) for lane in range(load.sessions)))
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def bare(url: str, load: Load) -> Spent:
    """Play with a loop that does nothing but send, wait and parse."""
    return asyncio.run(_loop(url, load))


class OpenEnv:
    """Plays with openenv's client, in an interpreter that has it."""

    def __init__(self, child: "subprocess.Popen[str]") -> None:
        self._child = child

    def __call__(self, url: str, load: Load) -> Spent:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        asked = [url, load.sessions, load.episodes, load.steps, ACTION["message"]]
        print(json.dumps(asked), file=self._child.stdin, flush=True)
        return Spent(*json.loads(self._child.stdout.readline()))


@contextmanager
def started(python: Path, script: str) -> "Iterator[subprocess.Popen[str]]":
    """Run a script beside us, to the end of the block."""
    with subprocess.Popen(
        [str(python), str(HERE / script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as child:
        try:
            yield child
        finally:
            child.terminate()


def table(url: str, other: OpenEnv, sessions: list[int], rounds: int) -> None:
    """Print a row for each number of sessions."""
    print(
        "| sessions | ours, steps/s | bare loop | openenv's client | ours to bare | ours to "
        "openenv's | CPU a step: ours, bare, openenv's |\n|---:|---:|---:|---:|---:|---:|---:|"
    )
    players: list[Callable[[str, Load], Spent]] = [ours, bare, other]
    for many in sessions:
        load = Load(sessions=many, episodes=max(1, 64 // many))
        found: dict[int, list[Spent]] = {0: [], 1: [], 2: []}
        for number in range(rounds):
            order = [0, 1, 2] if number % 2 else [2, 1, 0]
            for place in order:
                found[place].append(players[place](url, load))
        speeds = [
            statistics.median(load.all_steps / spent.wall for spent in found[place])
            for place in range(3)
        ]
        ratios = [
            statistics.median(
                theirs.wall / own.wall for own, theirs in zip(found[0], found[place], strict=True)
            )
            for place in (1, 2)
        ]
        cpu = [
            statistics.median(spent.cpu for spent in found[place]) / load.all_steps * 1e6
            for place in range(3)
        ]
        print(
            f"| {many} | {speeds[0]:,.0f} | {speeds[1]:,.0f} | {speeds[2]:,.0f} | {ratios[0]:.2f} "
            f"| {ratios[1]:.2f} | {cpu[0]:.0f}, {cpu[1]:.0f}, {cpu[2]:.0f} µs |",
            flush=True,
        )


def overhead(url: str, rounds: int) -> None:
    """Print what an episode costs beyond its frames: the line through short and long ones."""
    short = Load(sessions=8, episodes=100, steps=1)
    long = Load(sessions=8, episodes=100, steps=21)
    each = []
    for _ in range(rounds):
        cost = {load.steps: ours(url, load).cpu / (load.sessions * load.episodes)
                for load in (short, long)}  # fmt: skip
        a_step = (cost[21] - cost[1]) / 20
        each.append((cost[1] - 2 * a_step, a_step))
    fixed, a_step = (statistics.median(values) * 1e6 for values in zip(*each, strict=True))
    print(
        f"\nCPU of an episode beyond its frames: {fixed:,.0f} µs; of an exchange: {a_step:,.0f} µs"
    )


def long_run(url: str) -> None:
    """Play 100,000 episodes and print what they took of memory and disk."""
    load = Load(sessions=32, episodes=LONG_EPISODES // 32, steps=LONG_STEPS)
    count = load.sessions * load.episodes
    with tempfile.TemporaryDirectory() as folder:
        before = resident()
        spent = asyncio.run(_engine(url, load, Path(folder)))
        played = resident()
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        began = time.perf_counter()
        rows = EpisodeTable.of(Path(folder)).rows
        seconds = time.perf_counter() - began
    assert len(rows) == count
    print(
        f"{count:,} episodes of {load.steps} steps at {load.sessions} sessions: "
        f"{load.all_steps / spent.wall:,.0f} steps/s, {size / load.all_steps:.0f} bytes a step on "
        f"disk; memory {before:.0f} MiB before, {played:.0f} at most while playing, "
        f"{resident():.0f} with the table, which was read in {seconds:.1f} s"
    )


def resident() -> float:
    """Return the largest resident set that this process has had, MiB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sessions", default=",".join(map(str, SESSIONS)))
    parser.add_argument("--long", action="store_true", help="100,000 episodes")
    args = parser.parse_args()
    sessions = [int(word) for word in args.sessions.split(",")]
    servers = {
        "The stock openenv 0.10.0 server": (OPENENV, "echo_openenv.py"),
        "A raw `websockets` server, which does nothing else": (Path(sys.executable), "echo.py"),
    }
    for title, (python, script) in servers.items():
        if args.long and python == OPENENV:
            continue
        with started(python, script) as server, started(OPENENV, "loop_openenv.py") as client:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            print(f"\n{title}:\n")
            if args.long:
                long_run(url)
                continue
            table(url, OpenEnv(client), sessions, args.rounds)
            overhead(url, args.rounds)


if __name__ == "__main__":
    main()
