"""Do intervals and decisions keep their error where a run may stop at any of its looks?

    python benchmarks/stopping.py

Draws scores of a probe on the starts of a standard run, look by look as a run plays them, and lets
the worst rule stop it: at the first look whose interval misses the truth. What then still holds is
the coverage that a report's intervals have under every rule. Beside it the same with intervals of
95 % at each look, as if there were one; and how often a limit is called crossed that is just met.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metrics import level_at_looks, mean_score
from metrics.results import Undefined
from validator.rollouts.budget import PRESETS
from validator.rollouts.looks import Look, looks_of

LEVEL = 0.95
GROUP = 8
DRAWS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "success, rate 0.02": lambda rng, n: np.full(n, 0.02),
    "success, rate 0.1": lambda rng, n: np.full(n, 0.1),
    "success, rate 0.5": lambda rng, n: np.full(n, 0.5),
    "one start in five is always won": lambda rng, n: (rng.random(n) < 0.2).astype(float),
    "rates of starts spread evenly": lambda rng, n: rng.random(n),
    "rates of starts near 0 or 1": lambda rng, n: rng.beta(0.3, 0.9, n),
}
"""Chance of success on each start, drawn; a score is 1 or 0."""
MEANS = {"success, rate 0.02": 0.02, "success, rate 0.1": 0.1, "success, rate 0.5": 0.5}
MEANS |= {"one start in five is always won": 0.2, "rates of starts spread evenly": 0.5}
MEANS |= {"rates of starts near 0 or 1": 0.25}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How often the truth lay in all intervals, and how often one side was wrongly excluded."""

    shared: float
    """With the error shared among the looks."""
    plain: float
    """With all of it at each look."""
    below: float
    """Truth called lower than it is at some look, error shared."""
    above: float


def seen(rng: np.random.Generator, rates: np.ndarray, looks: tuple[Look, ...]) -> list[np.ndarray]:
    """Return the mean of each start at each look, shape `(starts,)` each: later ones add draws."""
    most = max(look.repeats for look in looks)
    draws = rng.random((rates.size, most)) < rates[:, None]
    means = []
    for look in looks:
        counts = np.where(np.arange(rates.size) < look.deep, look.repeats, 1)
        means.append(np.array([draws[at, :n].mean() for at, n in enumerate(counts)]))
    return means


def kept(name: str, runs: int, seed: int) -> Kept:
    """Return what holds of one population."""
    scale = PRESETS["standard"].scale(GROUP)
    looks = looks_of(scale, GROUP, fixed=False)
    rng, truth = np.random.default_rng(seed), MEANS[name]
    shared = plain = below = above = 0
    for _ in range(runs):
        misses = []
        rates = DRAWS[name](rng, scale.starts)
        for look, means in zip(looks, seen(rng, rates, looks), strict=True):
            found = mean_score(means, range(means.size), bounds=(0.0, 1.0))
            assert not isinstance(found, Undefined)
            ours = found.confidence_interval(level_at_looks(LEVEL, look.of))
            naive = found.confidence_interval(LEVEL)
            misses.append(
                (ours.high < truth, ours.low > truth, not naive.low <= truth <= naive.high)
            )
        low, high, missed = (any(one[at] for one in misses) for at in range(3))
        below, above = below + low, above + high
        shared += not (low or high)
        plain += not missed
    return Kept(shared=shared / runs, plain=plain / runs, below=below / runs, above=above / runs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    sys.stdout.write(
        "| scores of 20 starts | all four intervals hold, error shared | 95 % at each look "
        "| called too low | too high |\n|---|---:|---:|---:|---:|\n"
    )
    for name in DRAWS:
        found = kept(name, args.runs, args.seed)
        sys.stdout.write(
            f"| {name} | {found.shared:.1%} | {found.plain:.1%} | {found.below:.1%} "
            f"| {found.above:.1%} |\n"
        )


if __name__ == "__main__":
    main()
