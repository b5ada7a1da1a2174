"""Times the full set of metrics on 10,000 and on 1,000,000 made-up episodes.

Run `python benchmarks/statistics_speed.py`. Each size runs in a process of its own, so that the
peak of memory is its own too.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

import metrics
from metrics.inputs import Floats

SHAPES = {10_000: (100, 5, 20), 1_000_000: (1000, 5, 200)}
"""Episodes: tasks, probes, repeats."""
GROUP_SIZE = 8


def episodes(tasks: int, probes: int, repeats: int) -> dict[str, Floats]:
    """Return made-up columns: harder tasks and abler probes, a third of the scores partial."""
    rng = np.random.default_rng(0)
    shape = (tasks, probes, repeats)
    task, probe, repeat = (axis.ravel() for axis in np.indices(shape))
    ease = rng.beta(0.8, 0.8, tasks)[task] ** (1.5 - probe / probes)
    score = (rng.random(task.size) < ease).astype(np.float64)
    partial = rng.random(task.size) < 0.3
    score[partial] = np.round(score[partial] * rng.random(int(partial.sum())), 2)
    return {
        "task": task,
        "probe": probe,
        "seed": repeat // 2,
        "score": score,
        "seconds": rng.lognormal(0, 1, task.size),
    }


def full_set(table: dict[str, Floats]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield every metric that a run of one environment asks for, as a call."""
    score, task, probe = table["score"], table["task"], table["probe"]
    unit = (0.0, 1.0)
    by_probe = {int(one): np.flatnonzero(probe == one) for one in np.unique(probe)}
    for one, rows in by_probe.items():
        x, t = score[rows], task[rows]
        wins = np.bincount(t, weights=x >= 1).astype(int)
        tries = np.bincount(t)
        yield f"success_rate {one}", lambda x=x: metrics.success_rate(x, threshold=1)
        yield f"mean_score {one}", lambda x=x, t=t: metrics.mean_score(x, t, bounds=unit)
        yield f"mean_score open {one}", lambda x=x, t=t: metrics.mean_score(x, t)
        yield (
            f"live_group_share {one}",
            lambda x=x, t=t: metrics.live_group_share(x, t, group_size=GROUP_SIZE),
        )
        yield f"learnability {one}", lambda x=x, t=t: metrics.learnability(x, t, score_range=unit)
        yield (
            f"entropy {one}",
            lambda x=x, t=t: metrics.group_reward_entropy(x, t, group_size=GROUP_SIZE),
        )
        yield (
            f"best_of_n {one}",
            lambda x=x, t=t: metrics.best_of_n_gain(x, t, n=GROUP_SIZE, bounds=unit),
        )
        yield f"spread {one}", lambda x=x, t=t: metrics.spread(x, t).icc
        yield f"pass_at_k {one}", lambda c=wins, n=tries: metrics.pass_at_k(c, n, 4)
        yield f"pass_all_k {one}", lambda c=wins, n=tries: metrics.pass_all_k(c, n, 4)
        yield f"frontier_mass {one}", lambda c=wins, n=tries: metrics.frontier_mass(c, n)
        yield f"reward_shape {one}", lambda x=x: metrics.reward_shape(x)
    yield (
        "floor",
        lambda: metrics.floor(
            {str(one): score[by_probe[one]] for one in (0, 1)},
            clusters_by_probe={str(one): task[by_probe[one]] for one in (0, 1)},
            bounds=unit,
        ),
    )
    yield (
        "nested_components",
        lambda: metrics.nested_components(
            score, {"task": task, "probe": probe, "seed": table["seed"]}
        ).components["task"],
    )
    yield "jonckheere_terpstra", lambda: metrics.jonckheere_terpstra(score, probe, task)
    split = {
        one: {
            str(t): part
            for t, part in enumerate(np.split(score[rows], np.cumsum(np.bincount(task[rows]))[:-1]))
        }
        for one, rows in by_probe.items()
    }
    for weak, strong in zip(by_probe, list(by_probe)[1:], strict=False):
        yield (
            f"superiority {strong}",
            lambda w=weak, s=strong: metrics.superiority(split[s], split[w]),
        )
    yield "inversions", lambda: metrics.inversions(split[max(split)], split[0])
    yield "latency p95", lambda: metrics.quantile(table["seconds"], 0.95)
    yield "latency drift", lambda: metrics.drift(table["seconds"])


def measure(number: int) -> None:
    """Print how long each metric takes with its interval, and the peak of memory."""
    table = episodes(*SHAPES[number])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took: dict[str, float] = {}
    began = time.perf_counter()
    for name, call in full_set(table):
        at = time.perf_counter()
        found = call()
        if isinstance(found, metrics.Estimate):
            found.confidence_interval(0.95)
        kind = name.rstrip("0123456789 ")
        took[kind] = took.get(kind, 0.0) + time.perf_counter() - at
    total = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{number:,} episodes: {total:.2f} s, peak {peak:.0f} MB ({before:.0f} MB before)")
    for kind, seconds in sorted(took.items(), key=lambda pair: -pair[1]):
        print(f"  {kind:22} {seconds * 1000:8.1f} ms")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(int(sys.argv[1]))
    else:
        for size in SHAPES:
            subprocess.run([sys.executable, __file__, str(size)], check=True)
