"""The learner beside references, where there is something to learn and where not: docs/probes.md.

    python benchmarks/learnable.py play [--agent learner|tabular|ppo] [NAME ...]
    python benchmarks/learnable.py table
    python benchmarks/learnable.py simulate

`play` adds what each agent did in each environment to `references/learned.csv`, and leaves out
what is there already, so that it can be stopped and started. `table` prints the table from it, and
`simulate` how often pay that does not depend on actions would pass for something learned.

Played are all healthy calibration environments, the examples, and environments whose reward has
nothing to do with what is done: those of the calibration suite, and `chance_environments.py`. All
agents play standard budget without its clock, root seed 0, the tabular reference with five times
as many episodes, PPO with ten times. PPO needs `stable-baselines3`, see `references/ppo.in`.
"""

import argparse
import asyncio
import csv
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Literal

import numpy as np
from ladder import PYTHON, ROOT, SUITE, example, suite
from numpy.typing import NDArray
from references.tabular import Tabular

from metrics.comparison import paired_difference
from metrics.learning import learning_slope
from metrics.results import Undefined
from probes.base import Probe
from probes.learner.learner import Learner
from reports.model import Learning
from validator.calibration import read_labelled
from validator.checks.statistical.difficulty_separation import DifficultySeparation
from validator.installed import Installed
from validator.manifest import Manifest, parse_manifest, read_manifest
from validator.policy.model import read_policy
from validator.rollouts.budget import PRESETS
from validator.run import validate
from validator.settings import DEFAULT_MAX_STEPS, Settings
from validator.targets.url import UrlTarget

KEPT = Path(__file__).resolve().parent / "references" / "learned.csv"
TIMES = {"learner": 1, "tabular": 5, "ppo": 10}
"""Agents, and how many times the episodes of the standard budget each has."""
INDEPENDENT = ("signal/always_one", "signal/always_zero", "signal/constant_half",
               "signal/seed_decides")  # fmt: skip
"""Faulty calibration environments whose reward does not depend on any action."""

CHANCE = ("coin_at_the_end", "coin_each_step", "jackpot", "noise", "streaks", "weather")
DRAWS = 5
"""Times that the learner plays each of these: they draw anew. `chance/noise@2` is the second."""

Kind = Literal["healthy", "independent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one agent did in one environment. Numbers are text as in the file, empty where none."""

    environment: str
    kind: str
    """`healthy`, or `independent`: its reward does not depend on actions."""
    agent: str
    version: str
    episodes: str
    """Scored ones that were learned from."""
    first: str
    """Mean score of the first tenth of them."""
    last: str
    slope: str
    """Rise in a hundred episodes."""
    slope_low: str
    slope_high: str
    gain: str
    """Score in the end, less that of one that learned nothing and played beside it; empty where
    none did."""
    gain_low: str
    gain_high: str

    @property
    def rose(self) -> bool:
        """Say whether it got better: its gain is surely above zero.

        Where none played beside it, it is the slope of its curve. A gain without an interval
        is not sure.
        """
        low = self.gain_low if self.gain else self.slope_low
        return low != "" and float(low) > 0


def read_kept() -> list[Outcome]:
    if not KEPT.exists():
        return []
    with KEPT.open(newline="", encoding="utf-8") as file:
        return [Outcome(**row) for row in csv.DictReader(file)]


def keep(outcome: Outcome) -> None:
    names = [one.name for one in fields(Outcome)]
    fresh = not KEPT.exists()
    with KEPT.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if fresh:
            writer.writerow(names)
        writer.writerow([getattr(outcome, name) for name in names])


def probe_of(agent: str) -> Probe:
    if agent == "ppo":
        from references.ppo import Ppo

        return Ppo()
    return Learner() if agent == "learner" else Tabular()


def run(url: str, manifest: Manifest, probe: Probe) -> Learning | None:
    """Return how one agent learned in one environment, None where it could not play."""
    budget = PRESETS["standard"]
    times = TIMES[probe.name]
    effort = replace(
        budget.learner,
        episodes=budget.learner.episodes * times,
        steps=budget.learner.steps * times,
        seconds=1e9,
    )
    horizon = manifest.envassay.horizon
    installed = Installed(
        probes={probe.name: probe}, sources={probe.name: "here"}, checks=(DifficultySeparation(),)
    )
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            budget=replace(budget, learner=effort, seconds=7_200.0),
            policy=read_policy("author"),
            manifest=manifest,
            folder=Path(folder) / "run",
            probes=(probe.name,),
            max_steps=horizon + 1 if isinstance(horizon, int) else DEFAULT_MAX_STEPS,
        )
        report = asyncio.run(validate(UrlTarget(url), settings, installed))
    return next((rung.learning for rung in report.ladder if rung.probe == probe.name), None)


def outcome_of(name: str, kind: Kind, probe: Probe, learning: Learning | None) -> Outcome:
    def told(value: float | None) -> str:
        return "" if value is None else f"{value:.6g}"

    curve = learning.curve if learning else []
    slope, gain = (learning.slope, learning.improvement) if learning else (None, None)
    return Outcome(
        environment=name,
        kind=kind,
        agent=probe.name,
        version=probe.version,
        episodes=str(learning.episodes if learning else 0),
        first=told(curve[0][1]) if curve else "",
        last=told(curve[-1][1]) if curve else "",
        slope=told(slope.estimate) if slope else "",
        slope_low=told(slope.low) if slope else "",
        slope_high=told(slope.high) if slope else "",
        gain=told(gain.estimate) if gain else "",
        gain_low=told(gain.low) if gain else "",
        gain_high=told(gain.high) if gain else "",
    )


@contextmanager
def chance() -> Iterator[str]:
    """Serve the environments that pay by chance."""
    child = subprocess.Popen(
        [str(PYTHON), str(ROOT / "benchmarks" / "chance_environments.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        yield child.stdout.readline().strip()
    finally:
        child.stdin.close()
        child.terminate()
        child.wait()


def played(
    wanted: list[str], left: Callable[[str], bool], *, again: bool
) -> Iterator[tuple[str, Kind, str, Manifest]]:
    """Yield environments that are wanted and of which something is left, each while it is served.

    Name, kind, address and manifest.
    """

    def wants(name: str) -> bool:
        return (not wanted or name in wanted) and left(name)

    with chance() as base:
        for draw, short in product(range(1, DRAWS + 1), CHANCE):
            name = f"chance/{short}" + (f"@{draw}" if draw > 1 else "")
            if wants(name) and (draw == 1 or again):
                manifest = parse_manifest({}, where="here", folder=ROOT)
                yield name, "independent", f"{base}/{short}", manifest
    for folder in sorted((ROOT / "examples").glob("*/envassay.yaml")):
        name = folder.parent.name
        if wants(name):
            with example(name) as url:
                yield name, "healthy", url, read_manifest(folder)
    with suite() as ask:
        for name in ask({"list": True})["names"]:
            labelled = read_labelled(SUITE / f"{name}.yaml", name)
            if not wants(name) or (labelled.must and name not in INDEPENDENT):
                continue
            kind: Kind = "independent" if labelled.must else "healthy"
            yield name, kind, ask({"start": name})["url"], labelled.manifest
            ask({"stop": name})


def _none_of(done: set[str]) -> Callable[[str], bool]:
    return lambda name: name not in done


def play(agents: list[str], wanted: list[str]) -> None:
    """Play what is not kept yet, and keep it."""
    for agent in agents:
        kept = [one for one in read_kept() if one.agent == agent]
        done = {one.environment for one in kept if one.gain or agent != "learner"}
        again = agent == "learner"
        for name, kind, url, manifest in played(wanted, _none_of(done), again=again):
            probe = probe_of(agent)
            try:
                learning = run(url, manifest, probe)
            except Exception as fault:  # an environment that is lost must not end the others
                print(f"{name}: {type(fault).__name__}: {fault}"[:300], file=sys.stderr)
                continue
            found = outcome_of(name, kind, probe, learning)
            keep(found)
            print(agent, name, found.first, found.last, "*" if found.rose else "", flush=True)


def table() -> None:
    """Print what is kept, and how often the learner rose where a reference did."""
    found: dict[str, dict[str, Outcome]] = defaultdict(dict)
    for one in read_kept():
        found[one.environment][one.agent] = one
    print("| environment | learner | tabular | PPO |\n|---|---|---|---|")
    by_kind = {"healthy": 0, "independent": 1}
    for name in sorted(found, key=lambda name: (by_kind[_kind(found[name])], name)):
        cells = [_cell(found[name].get(agent)) for agent in TIMES]
        print(f"| {' | '.join([name, *cells])} |")
    both = {name: by for name, by in found.items() if "learner" in by}
    for kind in by_kind:
        there = [by for by in both.values() if _kind(by) == kind]
        rose = sum(by["learner"].rose for by in there)
        print(f"\n{kind}: the learner rose in {rose} of {len(there)}", end="")
        for agent in ("tabular", "ppo"):
            held = [by for by in there if agent in by]
            print(f", {agent} in {sum(by[agent].rose for by in held)} of {len(held)}", end="")
    learned = [by for by in both.values() if any(by[a].rose for a in ("tabular", "ppo") if a in by)]
    rose = sum(by["learner"].rose for by in learned)
    print(f"\n\nof {len(learned)} that a reference learned, the learner rose in {rose}")


STARTS, TURNS, PAIRS = 8, 38, 42
"""Of the standard budget: starts learned on, turns over them, and scored pairs."""
WEATHER: dict[str, Callable[[np.random.Generator, int], NDArray[np.float64]]] = {
    "a coin an episode": lambda rng, n: rng.integers(2, size=n).astype(float),
    "streaks, changing with a chance of 0.05": lambda rng, n: streaks(rng, n, 0.05),
    "streaks, changing with a chance of 0.01": lambda rng, n: streaks(rng, n, 0.01),
    "a coin that gets better from 0.1 to 0.9": lambda rng, n: (
        rng.random(n) < np.linspace(0.1, 0.9, n)
    ).astype(float),
    "every second episode pays": lambda rng, n: np.arange(n) % 2.0,
}


def streaks(rng: np.random.Generator, n: int, chance: float) -> NDArray[np.float64]:
    """Return pay of 0 or 1 that goes over to the other with some chance after each episode."""
    return (np.cumsum(rng.random(n) < chance) + rng.integers(2)) % 2.0


def simulate(runs: int = 2_000) -> None:
    """Print how often each interval lies above zero though pay does not depend on actions.

    Nominal is one in forty.
    """
    print("| pay | slope of the curve | pairs in an order by lot |\n|---|---:|---:|")
    for name, pay in WEATHER.items():
        rng = np.random.default_rng(0)
        above = np.zeros(2)
        for _ in range(runs):
            scores = pay(rng, STARTS * TURNS + 2 * PAIRS)
            told = scores[: STARTS * TURNS]
            order = np.arange(told.size)
            slope = learning_slope(told, order, [*(order % STARTS)], turn=STARTS)
            pairs = rng.permuted(scores[STARTS * TURNS :].reshape(PAIRS, 2), axis=1)
            gain = paired_difference(pairs[:, 0], pairs[:, 1], bounds=(0, 1))
            for place, found in enumerate((slope, gain)):
                above[place] += (
                    not isinstance(found, Undefined) and found.confidence_interval().low > 0
                )
        shares = " | ".join(f"{share:.3f}" for share in above / runs)
        print(f"| {name} | {shares} |", flush=True)


def _kind(by: dict[str, Outcome]) -> str:
    return next(iter(by.values())).kind


def _cell(found: Outcome | None) -> str:
    if found is None:
        return ""
    if not found.first:
        return "–"
    ends = f"{float(found.first):.2f} to {float(found.last):.2f}"
    return f"{ends}{' *' if found.rose else ''}"


def main() -> None:
    """Play, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["play", "table", "simulate"])
    parser.add_argument("--agent", action="append", choices=list(TIMES))
    parser.add_argument("names", nargs="*")
    args = parser.parse_intermixed_args()
    if args.what == "play":
        play(args.agent or ["learner", "tabular"], args.names)
    elif args.what == "table":
        table()
    else:
        simulate()


if __name__ == "__main__":
    main()
