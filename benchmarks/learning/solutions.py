"""Walks the solutions that an author would declare, over the wire, and keeps what they earn.

    python -m benchmarks.learning.solutions [--to FILE]

Writes `data/solutions.parquet`: a row for each environment and seed. `solve.py` makes the
solutions; a validation walks as many, where a manifest names them.
"""

import argparse
import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.learning.environments import ENVIRONMENTS, LearningEnvironment
from benchmarks.learning.serving import PYTHON, ROOT, served_rows
from benchmarks.learning.wire import Sessions

SOLUTIONS = Path(__file__).resolve().parent / "data" / "solutions.parquet"
MOST = 20
"""Solutions of an environment: as many as a validation at the standard budget walks."""
FEWER, LONG = 8, 20
"""Solutions where an episode may have more than so many steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What one solution earned."""

    environment: str
    seed: int
    steps: int
    score: float
    """Sum of the rewards."""
    done: bool
    """The environment ended the episode with the last action, and not before."""


def seeds_of(environment: LearningEnvironment) -> range:
    """Return the seeds whose solutions are declared."""
    return range(MOST if environment.horizon <= LONG else FEWER)


def declared(environments: Sequence[LearningEnvironment]) -> list[dict[str, Any]]:
    """Return the solutions of some environments, one a seed.

    Raises:
        CalledProcessError: a world could not be solved.
    """
    asked = [
        {"id": one.id, "family": one.family, "world": one.world, "told": dict(one.told),
         "seeds": list(seeds_of(one))}
        for one in environments
    ]  # fmt: skip
    told = subprocess.run(
        [str(PYTHON), "-m", "benchmarks.learning.solve"],
        cwd=ROOT, input=json.dumps(asked) + "\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in told.stdout.splitlines()]


def walk(sessions: Sessions, solution: dict[str, Any]) -> Walked:
    """Walk one solution in the first of some sessions."""
    score, steps = 0.0, 0
    done = sessions.reset([0], [solution["reset"]["seed"]])[0].done
    for action in solution["actions"]:
        if done:
            break
        reply = sessions.step([0], [action])[0]
        score, steps, done = score + reply.reward, steps + 1, reply.done
    return Walked(
        environment=solution["environment"],
        seed=solution["reset"]["seed"],
        steps=steps,
        score=score,
        done=done and steps == len(solution["actions"]),
    )


def walk_all(environments: Sequence[LearningEnvironment]) -> pd.DataFrame:
    """Return what every solution of some environments earned."""
    every, rows = declared(environments), []
    with served_rows(environments) as urls:
        for environment in environments:
            with Sessions(urls[environment.id], 1) as sessions:
                rows += [
                    asdict(walk(sessions, one))
                    for one in every
                    if one["environment"] == environment.id
                ]
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--to", type=Path, default=SOLUTIONS)
    args = parser.parse_args()
    table = walk_all(ENVIRONMENTS)
    table.to_parquet(args.to, index=False)
    print(f"{len(table)} solutions of {table.environment.nunique()} environments, "
          f"{table.steps.sum()} steps")  # fmt: skip


if __name__ == "__main__":
    main()
