"""Search and learner on the healthy calibration environments and the examples: docs/probes.md.

    python benchmarks/ladder.py [NAME ...]

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

import numpy as np

from probes.actions.legal import Legal
from probes.base import Json, Lane, Probe, Rung, Seen
from probes.blind.uniform import Uniform
from probes.campaign import Result, Terms
from probes.learner.learner import Learner
from probes.search.cells import cell_of, leaves_of
from probes.search.moves import Choices, Listing
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
RATE, DISCOUNT, SLIP = 0.3, 0.98, 0.1


class Reference:
    """Tabular Q-learning (Watkins 1989) with a falling chance of a random action."""

    name = "reference"
    version = "1"
    rung: Rung = "learner"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Any:
        return Uniform().begin(lane, rng)

    def campaign(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> "_Tabular":
        return _Tabular(lane, rng, terms)


class _Tabular:
    finished = False

    def __init__(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> None:
        self._legal = Legal(lane, rng)
        self._rng = rng
        self._terms = terms
        self._values: dict[str, dict[str, float]] = {}
        self._listing: Listing | None = None
        self._episodes = 0
        self._chance = 0.0
        self._last: tuple[str, str] | None = None

    def begin(self, start: str, *, learning: bool) -> "_Tabular":
        self._episodes += learning
        done = self._episodes / self._terms.episodes
        self._chance = max(SLIP, 1 - 1.5 * done) if learning else 0.0
        self._learning = learning
        self._last = None
        return self

    def act(self, seen: Seen) -> Json:
        """Return the action with the highest value, or a random one."""
        self._legal.look(seen)
        cell = cell_of(leaves_of(seen.observation), frozenset())
        space = self._legal.space
        if self._listing is None or self._listing.space is not space:
            self._listing = Listing(space)
        choices = Choices(self._listing, seen.observation, self._rng)
        known = self._values.setdefault(cell, {})
        self._update(seen.reward, max(known.values(), default=0.0))
        marks = choices.all()
        if self._rng.random() < self._chance:
            mark = marks[int(self._rng.integers(len(marks)))]
        else:
            best = max(known.get(mark, 0.0) for mark in marks)
            equal = [mark for mark in marks if known.get(mark, 0.0) == best]
            mark = equal[int(self._rng.integers(len(equal)))]
        self._last = cell, mark
        return self._legal.note(choices.action(mark))

    def ended(self, result: Result) -> None:
        if result.score is not None:
            self._update(result.reward, 0.0)

    def _update(self, reward: float | None, ahead: float) -> None:
        if self._last is not None and self._learning:
            cell, mark = self._last
            old = self._values[cell].get(mark, 0.0)
            target = (reward or 0.0) + DISCOUNT * ahead
            self._values[cell][mark] = old + RATE * (target - old)


def run(url: str, manifest: Manifest, *probes: Probe, learning: int = 1) -> Report:
    """Return the report of one environment, the learner with so many times its episodes."""
    budget = PRESETS["standard"]
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
    reference = run(url, manifest, Uniform(), Reference(), learning=5)
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
        _rise(next(rung for rung in reference.ladder if rung.probe == "reference")),
        f"{order.status}{', question' if order.question else ''}",
    ]
    return f"| {' | '.join(cells)} |"


def _rise(rung: Earned) -> str:
    """Return first and last point of a learning curve, marked where its slope is above zero."""
    learning = rung.learning
    if learning is None or not learning.curve or learning.slope.low is None:
        return "–"
    first, last = learning.curve[0][1], learning.curve[-1][1]
    return f"{first:.2f} to {last:.2f}{' *' if learning.slope.low > 0 else ''}"


def main() -> None:
    """Print the table."""
    wanted = sys.argv[1:]
    print(
        "| environment | repeats | search: top reached | in episodes | learner | reference "
        "| separation |\n|---|---|---|---:|---|---|---|"
    )
    with suite() as ask:
        for name in ask({"list": True})["names"]:
            labelled = read_labelled(SUITE / f"{name}.yaml", name)
            if labelled.must if not wanted else name not in wanted:
                continue
            url = ask({"start": name})["url"]
            print(row(name, url, labelled.manifest), flush=True)
            ask({"stop": name})
    for folder in sorted((ROOT / "examples").glob("*/envassay.yaml")):
        name = folder.parent.name
        if not wanted or name in wanted:
            with example(name) as url:
                print(row(name, url, read_manifest(folder)), flush=True)


if __name__ == "__main__":
    main()
