"""Search and learner on the healthy calibration environments and the examples: docs/probes.md.

    python benchmarks/ladder.py [--search] [NAME ...]

With --search only the search is run, beside one random episode on each of its starts, and the rows
are shorter.

Each environment is served by the real openenv package and played within the standard budget,
but for the clock. Beside the learner stands a reference: tabular Q-learning over whole
observations, with five times as many episodes. What it learns can be learned.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from references.tabular import Tabular

from probes.base import Probe
from probes.blind.uniform import Uniform
from probes.learner.learner import Learner
from probes.search.search import Search
from reports.model import Report
from reports.model import Rung as Earned
from validator.calibration import read_labelled
from validator.checks.runtime.episode_determinism import EpisodeDeterminism
from validator.checks.runtime.startup import Startup
from validator.checks.statistical.difficulty_separation import DifficultySeparation
from validator.installed import Installed
from validator.manifest import Manifest, read_manifest
from validator.policy.model import read_policy
from validator.rollouts.budget import PRESETS
from validator.run import validate
from validator.settings import DEFAULT_MAX_STEPS, Settings
from validator.targets.url import UrlTarget

ROOT = Path(__file__).resolve().parents[1]
SUITE = ROOT / "tests" / "calibration"
PYTHON = ROOT / ".servers" / "openenv-0.10.0" / "bin" / "python"


def run(
    url: str, manifest: Manifest, *probes: Probe, learning: int = 1, searching: bool = False
) -> Report:
    """Return the report of one environment, the learner with so many times its episodes.

    `searching` leaves out what a search does not need: its starts, its budget and its generators
    are the same with it and without.
    """
    budget = PRESETS["standard"]
    if searching:
        starts = budget.search.starts
        budget = replace(budget, starts=starts, repeats=1, replays=1, replayed_starts=2)
    learner = replace(
        budget.learner,
        episodes=budget.learner.episodes * learning,
        steps=budget.learner.steps * learning,
        seconds=1e9,
    )
    horizon = manifest.envassay.horizon
    installed = Installed(
        probes={probe.name: probe for probe in probes},
        sources={probe.name: "here" for probe in probes},
        checks=(Startup(), EpisodeDeterminism(), DifficultySeparation()),
    )
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            budget=replace(budget, learner=learner, search=replace(budget.search, seconds=1e9)),
            policy=read_policy("author"),
            manifest=manifest,
            folder=Path(folder) / "run",
            probes=tuple(installed.probes),
            max_steps=horizon + 1 if isinstance(horizon, int) else DEFAULT_MAX_STEPS,
        )
        return asyncio.run(validate(UrlTarget(url), settings, installed))


@contextmanager
def suite() -> Iterator[Any]:
    """Serve calibration environments on demand."""
    child = subprocess.Popen(
        [str(PYTHON), str(SUITE / "serve.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None

    def ask(request: dict[str, Any]) -> Any:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()
        return json.loads(child.stdout.readline())

    try:
        yield ask
    finally:
        child.stdin.close()
        child.terminate()
        child.wait()


@contextmanager
def example(name: str) -> Iterator[str]:
    """Serve one example."""
    child = subprocess.Popen(
        [str(PYTHON), str(ROOT / "examples" / "serve.py"), name],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    try:
        yield child.stdout.readline().split("\t")[1]
    finally:
        child.terminate()
        child.wait()


def row(name: str, url: str, manifest: Manifest) -> str:
    """Return one line of the table."""
    report = run(url, manifest, Uniform(), Search(), Learner())
    reference = run(url, manifest, Uniform(), Tabular(), learning=5)
    found = {rung.probe: rung for rung in report.ladder}
    repeats = next(r.status for r in report.results if r.id == "runtime.episode_determinism")
    search = found["search"]
    reached = search.success_rate.estimate
    share = "–" if reached is None else f"{round(reached * search.success_rate.n)}"
    order = next(r for r in report.results if r.id == "statistical.difficulty_separation")
    cells = [
        name,
        "yes" if repeats == "pass" else "no",
        f"{share} of {search.mean_score.n}",
        f"{search.tried}",
        _rise(found["learner"]),
        _rise(next(rung for rung in reference.ladder if rung.probe == "tabular")),
        f"{order.status}{', question' if order.question else ''}",
    ]
    return f"| {' | '.join(cells)} |"


def searched(name: str, url: str, manifest: Manifest) -> str:
    """Return one line of the table of searches."""
    report = run(url, manifest, Uniform(), Search(), searching=True)
    search = next(rung for rung in report.ladder if rung.probe == "search")
    repeats = next(r.status for r in report.results if r.id == "runtime.episode_determinism")
    reached = search.success_rate.estimate
    share = "–" if reached is None else f"{round(reached * search.success_rate.n)}"
    return (
        f"| {name} | {'yes' if repeats == 'pass' else 'no'} | {share} of {search.mean_score.n} "
        f"| {search.tried} |"
    )


def _rise(rung: Earned) -> str:
    """Return first and last point of a learning curve, marked where its slope is above zero."""
    learning = rung.learning
    if learning is None or not learning.curve or learning.slope.low is None:
        return "–"
    first, last = learning.curve[0][1], learning.curve[-1][1]
    return f"{first:.2f} to {last:.2f}{' *' if learning.slope.low > 0 else ''}"


def main() -> None:
    """Print the table."""
    wanted = [name for name in sys.argv[1:] if name != "--search"]
    line = searched if "--search" in sys.argv else row
    head = "| environment | repeats | search: top reached | in episodes |"
    if line is row:
        print(f"{head} learner | reference | separation |\n|---|---|---|---:|---|---|---|")
    else:
        print(f"{head}\n|---|---|---|---:|")
    with suite() as ask:
        for name in ask({"list": True})["names"]:
            labelled = read_labelled(SUITE / f"{name}.yaml", name)
            if labelled.must if not wanted else name not in wanted:
                continue
            url = ask({"start": name})["url"]
            print(line(name, url, labelled.manifest), flush=True)
            ask({"stop": name})
    for folder in sorted((ROOT / "examples").glob("*/envassay.yaml")):
        name = folder.parent.name
        if not wanted or name in wanted:
            with example(name) as url:
                print(line(name, url, read_manifest(folder)), flush=True)


if __name__ == "__main__":
    main()
