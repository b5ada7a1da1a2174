"""How well the engines overlap: many late targets at once, and one target on several workers.

    python benchmarks/engines.py --late            # 1,000 targets whose every reply takes 200 ms
    python benchmarks/engines.py --workers         # one and two Ray workers, a probe that computes

Both print what `docs/design/engines.md` holds. The targets are fakes: what is measured is the
engine, on whole validations.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from probes.base import Json, Lane, Rung, Seen
from validator.client.limits import Limits
from validator.engines.base import Finished, Job
from validator.engines.local import LocalEngine
from validator.engines.ray import RayEngine
from validator.engines.shards import Door, Sharded
from validator.engines.turns import Turns
from validator.episodes import EpisodeKey
from validator.events import Audience
from validator.manifest import Manifest
from validator.policy.model import read_policy
from validator.rollouts.budget import read_budget
from validator.rollouts.casting import Casting
from validator.rollouts.engine import Course
from validator.rollouts.plan import Lane as SessionLane
from validator.rollouts.plan import Plan
from validator.rollouts.play import Rules
from validator.rollouts.store import EpisodeStore
from validator.settings import Settings
from validator.targets.base import Task
from validator.targets.url import UrlTarget
from validator.tiers import Tiers

WORKERS = 2
LANES, STEPS = 96, 25
TURNS = 200_000
"""Turns of a loop that a probe computes before each action: ten milliseconds or so."""
FEW = 3
"""Targets that are validated beside one another to see how long one takes."""
HERE = Path(__file__).resolve().parent


@contextmanager
def served(script: str) -> Iterator[str]:
    """Run a server beside us and give its base address."""
    with subprocess.Popen(
        [sys.executable, str(HERE / script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as child:
        assert child.stdout is not None
        try:
            yield child.stdout.readline().strip()
        finally:
            child.terminate()


def job(url: str, folder: Path, budget: str, probes: tuple[str, ...]) -> Job:
    settings = Settings(
        budget=read_budget(budget),
        policy=read_policy("author"),
        manifest=Manifest(),
        folder=folder,
        probes=probes,
    )
    return Job(
        url=url,
        settings=settings,
        tiers=Tiers(models={}, harnesses={}),
        replies=folder.parent / "replies.sqlite",
    )


def late(targets: int, at_once: int, budget: str) -> None:
    """Print how long many late targets take, and how long they would if only they were late.

    The ideal is the time of one where few run, for each, over as many as run at once.
    """
    with served("late.py") as url, tempfile.TemporaryDirectory() as place:
        home = Path(place)

        def run(numbers: range, turns: Turns) -> tuple[float, float, float]:
            jobs = [
                job(f"{url}/{number}", home / str(number), budget, ("noop", "random"))
                for number in numbers
            ]
            wall, cpu = time.perf_counter(), time.process_time()
            each, broken = [], 0
            for outcome in LocalEngine(turns).run(jobs):
                if isinstance(outcome, Finished):
                    each.append(outcome.report.times.seconds)
                else:
                    broken += 1
            if broken:
                print(f"{broken} of {len(jobs)} targets were not validated")
            spent = time.perf_counter() - wall, time.process_time() - cpu
            return statistics.median(each), *spent

        each, _, _ = run(range(-FEW, 0), Turns(at_once=FEW, per_host=FEW))
        ideal = each * targets / at_once
        _, wall, cpu = run(range(targets), Turns(at_once=at_once, per_host=at_once))
        print(
            f"{targets:,} targets of {each:.1f} s each, {at_once} at once: {wall:.0f} s, "
            f"{ideal:.0f} s if they overlapped perfectly: {ideal / wall:.0%}; "
            f"{cpu / targets:.2f} s of CPU each"
        )


class Thinker:
    """Says the same at every step, after some milliseconds of computing."""

    name = "thinker"
    version = "1"
    rung: Rung = "null"

    def __init__(self, turns: int) -> None:
        self._turns = turns

    def begin(self, lane: Lane, rng: object) -> "Thinker":
        return self

    def act(self, seen: Seen) -> Json:
        total = 0
        for number in range(self._turns):
            total += number * number
        return {"message": str(total)}


def thinking(lanes: int, turns: int) -> Course:
    """Return a course of one episode for each lane."""
    keys = [EpisodeKey(task="-", seed=seed, probe="thinker", repeat=0) for seed in range(lanes)]
    return Course(
        plan=Plan(
            lanes=tuple(SessionLane(keys=(key,)) for key in keys),
            options={"-": Task(id="-", options={})},
        ),
        casting=Casting(
            {"thinker": Thinker(turns)}, {}, lane=Lane(action_schema=None, tools=None), seed=0
        ),
        rules=Rules(max_steps=STEPS),
        most_sessions=WORKERS,
        proven=WORKERS,
        seconds=3_600.0,
    )


async def _sharded(url: str, course: Course, engine: RayEngine, folder: Path) -> float:
    """Return the seconds that a course takes on whatever workers there are."""
    player = Sharded(Door(url=url, limits=Limits()), engine._submit_part, workers=WORKERS)
    async with UrlTarget(url).open(Limits()) as server:
        store = EpisodeStore.create(folder)
        began = time.perf_counter()
        found = await player(course, server, store, Audience())
        seconds = time.perf_counter() - began
        store.close()
    assert not found.stopped, found.stopped
    assert found.planned == store.sessions == len(course.plan.lanes)
    return seconds


def workers(rounds: int, turns: int) -> None:
    """Print the throughput of one and of two Ray workers, in turn, on one target's episodes."""
    import ray

    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    course = thinking(LANES, turns)
    steps = LANES * STEPS
    found: dict[int, list[float]] = {1: [], 2: []}
    with served("echo.py") as url, tempfile.TemporaryDirectory() as place:
        for number in range(rounds):
            for many in (1, 2) if number % 2 else (2, 1):
                ray.init(num_cpus=many, include_dashboard=False, object_store_memory=200 * 2**20)
                engine = RayEngine(Turns(at_once=1))
                for name, told in (("warm", thinking(16, turns)), ("timed", course)):
                    folder = Path(place) / f"{number}-{many}-{name}"
                    seconds = asyncio.run(_sharded(url, told, engine, folder))
                found[many].append(steps / seconds)
                ray.shutdown()
    ratios = [two / one for one, two in zip(found[1], found[2], strict=True)]
    print(
        f"{LANES} episodes of {STEPS} steps, {turns:,} turns before each; steps/s: "
        f"one {statistics.median(found[1]):,.0f}, "
        f"two {statistics.median(found[2]):,.0f}; two to one, round by round: "
        f"{', '.join(f'{ratio:.2f}' for ratio in ratios)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--targets", type=int, default=1_000)
    parser.add_argument("--at-once", type=int, default=100)
    parser.add_argument("--budget", default="24")
    parser.add_argument("--workers", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--turns", type=int, default=TURNS)
    args = parser.parse_args()
    if args.late:
        late(args.targets, args.at_once, args.budget)
    if args.workers:
        workers(args.rounds, args.turns)


if __name__ == "__main__":
    main()
