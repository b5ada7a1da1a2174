"""The learner beside references, where there is something to learn and where not: docs/probes.md.

    python benchmarks/learnable.py play [--agent learner|tabular|ppo] [NAME ...]
    python benchmarks/learnable.py table

`play` adds what each agent did in each environment to `references/learned.csv`, and leaves out
what is there already, so that it can be stopped and started. `table` prints the table from it.

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

from ladder import PYTHON, ROOT, SUITE, example, suite
from references.tabular import Tabular

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
    """On starts held out: score in the end, less that at first."""
    gain_low: str
    gain_high: str

    @property
    def rose(self) -> bool:
        """Say whether the slope is surely above zero."""
        return self.slope_low != "" and float(self.slope_low) > 0


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
        done = {one.environment for one in read_kept() if one.agent == agent}
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
    parser.add_argument("what", choices=["play", "table"])
    parser.add_argument("--agent", action="append", choices=list(TIMES))
    parser.add_argument("names", nargs="*")
    args = parser.parse_intermixed_args()
    if args.what == "play":
        play(args.agent or ["learner", "tabular"], args.names)
    else:
        table()


if __name__ == "__main__":
    main()
