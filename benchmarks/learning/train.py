"""Train a learner in each environment and write what it reached: the ground truth.

    python -m benchmarks.learning.train [--only ID ...] [--seeds 3] [--to FILE]

Writes `data/outcomes.parquet`, a row for each environment, seed and point of evaluation, after each
run; what is there already is left out, so that it can be stopped and started. PPO needs what
`ppo.in` lists. Runs go seed by seed, so that a run that is cut short covers all environments.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd

from benchmarks.learning.environments import (
    ENVIRONMENTS,
    LearningEnvironment,
    find_environment,
)
from benchmarks.learning.evaluation import Evaluation, evaluate
from benchmarks.learning.group import GROUP, TASKS, GroupLearner
from benchmarks.learning.offers import Offer
from benchmarks.learning.serving import served_rows
from benchmarks.learning.wire import Json, Sessions

OUTCOMES = Path(__file__).resolve().parent / "data" / "outcomes.parquet"
POINTS = 8
"""Evaluations after the first, which comes before any training."""
WATCHING = 24
"""Sessions that evaluate."""


class Learner(Protocol):
    """Something that is trained."""

    def act(self, observations: Sequence[Json]) -> list[Json]:
        """Draw an action for each observation, and learn nothing."""

    def learn(self, steps: int) -> int:
        """Train for about so many environment steps; return how many were taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One point of one run."""

    environment: str
    family: str
    kind: str
    algorithm: str
    seed: int
    env_steps: int
    """Steps that were learned from so far."""
    held_out_success: float
    """Mean true success of the held-out episodes."""
    held_out_success_sd: float
    held_out_return: float
    held_out_return_sd: float
    held_out_episodes: int
    gain: float
    """Rise of the success since the first point, over ceiling less floor."""
    cpu_seconds: float
    """Of the training process so far; the server's are not in it."""


def episodes_for(environment: LearningEnvironment) -> int:
    """Return how many held-out episodes each point has: more where they are short."""
    return int(np.clip(1_500 // environment.horizon, 16, 96))


def train(environment: LearningEnvironment, url: str, seed: int) -> Iterator[Outcome]:
    """Train in one environment; yield a point before it, and one after each of `POINTS` parts."""
    offer = Offer.at(url)
    count = 8 if environment.learner == "ppo" else GROUP * TASKS
    episodes = episodes_for(environment)
    began, steps = time.process_time(), 0
    with Sessions(url, count) as training, Sessions(url, min(episodes, WATCHING)) as watching:
        learner = _learner(environment, offer, seed, training)
        first = None
        for point in range(POINTS + 1):
            if point:
                steps += learner.learn(-(-(environment.steps - steps) // (POINTS + 1 - point)))
            found = evaluate(learner.act, watching, episodes=episodes)
            first = first or found
            yield _outcome(environment, seed, steps, first, found, time.process_time() - began)


def _learner(
    environment: LearningEnvironment, offer: Offer, seed: int, sessions: Sessions
) -> Learner:
    if environment.learner == "group":
        return GroupLearner(offer, seed, sessions)
    from benchmarks.learning.ppo import PpoLearner

    return PpoLearner(offer, seed, sessions)


def _outcome(
    environment: LearningEnvironment,
    seed: int,
    steps: int,
    first: Evaluation,
    found: Evaluation,
    seconds: float,
) -> Outcome:
    rise = float(found.success.mean() - first.success.mean())
    return Outcome(
        environment=environment.id,
        family=environment.family,
        kind=environment.kind,
        algorithm=environment.learner,
        seed=seed,
        env_steps=steps,
        held_out_success=float(found.success.mean()),
        held_out_success_sd=float(found.success.std(ddof=1)),
        held_out_return=float(found.returns.mean()),
        held_out_return_sd=float(found.returns.std(ddof=1)),
        held_out_episodes=len(found.success),
        gain=rise / (environment.ceiling - environment.floor),
        cpu_seconds=seconds,
    )


def read_outcomes(path: Path = OUTCOMES) -> pd.DataFrame:
    """Return what is recorded, an empty table where nothing is."""
    if path.exists():
        return pd.read_parquet(path)
    return pd.DataFrame(columns=list(Outcome.__dataclass_fields__))


def record(outcomes: Sequence[Outcome], path: Path) -> None:
    """Add one run to the file, whole or not at all."""
    added = pd.DataFrame([asdict(one) for one in outcomes])
    before = read_outcomes(path)
    table = pd.concat([before, added]) if len(before) else added
    table = table.sort_values(["environment", "seed", "env_steps"], ignore_index=True)
    path.parent.mkdir(exist_ok=True)
    beside = path.with_suffix(".part")
    table.to_parquet(beside, index=False)
    os.replace(beside, path)


def left(
    environments: Sequence[LearningEnvironment], seeds: int, recorded: pd.DataFrame
) -> list[tuple[LearningEnvironment, int]]:
    """Return the runs that are not recorded, seed by seed."""
    there = set(zip(recorded["environment"], recorded["seed"], strict=True))
    return [
        (environment, seed)
        for seed in range(seeds)
        for environment in environments
        if (environment.id, seed) not in there
    ]


def train_all(environments: Sequence[LearningEnvironment], seeds: int, path: Path) -> None:
    """Make every run that is not recorded yet."""
    runs = left(environments, seeds, read_outcomes(path))
    if not runs:
        return
    needed = list({environment.id: environment for environment, _ in runs}.values())
    with served_rows(needed, truth=True) as urls:
        for number, (environment, seed) in enumerate(runs, 1):
            try:
                outcomes = list(train(environment, urls[environment.id], seed))
            except ConnectionError as fault:  # one that is lost must not end the others
                print(f"{environment.id} seed {seed}: {fault}", file=sys.stderr, flush=True)
                continue
            record(outcomes, path)
            last = outcomes[-1]
            print(
                f"{number}/{len(runs)} {environment.id} seed {seed}:"
                f" {outcomes[0].held_out_success:.2f} to {last.held_out_success:.2f}"
                f" in {last.env_steps} steps, {last.cpu_seconds:.1f} s",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="ID")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--to", type=Path, default=OUTCOMES)
    args = parser.parse_args()
    chosen = [find_environment(name) for name in args.only] or list(ENVIRONMENTS)
    train_all(chosen, args.seeds, args.to)


if __name__ == "__main__":
    main()
