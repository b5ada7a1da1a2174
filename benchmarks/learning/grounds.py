"""What the score is computed from, taken from the kept episodes and solutions: a row each."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from benchmarks.learning.environments import find_environment
from benchmarks.learning.predictive import Floats
from metrics.results import Undefined
from metrics.training_value import LAST, TrainingValue, training_value

PLANS = ("eight", "own", "brief")
TRAINED = 1_000
"""Episodes that training is taken to have, where it is asked whether it meets a reward at all."""
HIGH = 0.5
"""Share of the range above random play from which an episode has met what is paid for."""
BRIEF_RANDOM = 0.005
"""Share of the steps of a training run that random play of the brief plan takes."""
FEWEST_RANDOM = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """Episodes of one environment; scores as shares of its declared range, in [0, 1]."""

    random: Floats
    """Scores of random play, shape `(n,)`."""
    starts: Floats
    """Seed of each of these, shape `(n,)`."""
    learned: Floats
    """Scores of the learner, in the order of play."""
    solutions: Floats
    """Scores of the declared solutions."""
    random_steps: Floats
    """Steps of each episode, likewise."""
    learned_steps: Floats

    @property
    def end(self) -> float:
        """Mean score in the end of learning."""
        return float(self.learned[-max(1, self.learned.size // LAST) :].mean())

    @property
    def steps(self) -> float:
        """Steps of the learner and of random play."""
        return float(self.learned_steps.sum() + self.random_steps.sum())

    @property
    def slope(self) -> float:
        """Rise of a straight line through all that the learner earned, from first to last."""
        if self.learned.size < 2:
            return 0.0
        return float(np.polyfit(np.linspace(0, 1, self.learned.size), self.learned, 1)[0])

    @property
    def met(self) -> float:
        """Chance that training meets an episode that pays much more than random play."""
        every = np.concatenate([self.random, self.learned])
        share = float(np.mean(every >= self.random.mean() + HIGH))
        return float(1 - (1 - share) ** TRAINED)

    def value(self, *, declared: bool) -> TrainingValue | Undefined:
        """Return the score of the product, with the solutions declared or with nothing declared."""
        solutions = self.solutions if declared else self.solutions[:0]
        return training_value(
            self.learned, self.random, self.starts, bounds=(0.0, 1.0),
            solutions=solutions, solution_tasks=range(solutions.size),
        )  # fmt: skip

    def part(self, share: float) -> "Grounds":
        """Return the first such part of the learner's episodes, and of random play."""
        return self.first(
            max(1, round(share * self.learned.size)),
            max(FEWEST_RANDOM, round(share * self.random.size)),
        )

    def first(self, learned: int, random: int) -> "Grounds":
        """Return so many episodes of the learner and of random play, spread over its starts."""
        some = np.random.default_rng(0).permutation(self.random.size)[:random]
        return replace(
            self,
            random=self.random[some],
            starts=self.starts[some],
            random_steps=self.random_steps[some],
            learned=self.learned[:learned],
            learned_steps=self.learned_steps[:learned],
        )


def grounds_of(
    environment: str, plan: str, episodes: pd.DataFrame, solutions: pd.DataFrame
) -> Grounds:
    """Return the episodes of one environment with one plan of the learner."""
    one = find_environment(environment)
    low, high = one.scores
    rows = episodes[episodes.environment == environment].sort_values("episode")
    random, learner = rows[rows.plan == "random"], rows[rows.plan == plan]
    solved = solutions[solutions.environment == environment]

    def share(scores: pd.Series) -> Floats:
        return np.asarray(np.clip((scores.to_numpy(float) - low) / (high - low), 0, 1))

    found = Grounds(
        random=share(random.score),
        starts=random.seed.to_numpy(float),
        learned=share(learner.score),
        solutions=share(solved.score),
        random_steps=random.steps.to_numpy(float),
        learned_steps=learner.steps.to_numpy(float),
    )
    if plan != "brief":
        return found
    most = round(BRIEF_RANDOM * one.steps / found.random_steps.mean())
    return found.first(found.learned.size, max(FEWEST_RANDOM, most))


def grounds(episodes: pd.DataFrame, solutions: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each environment that has all it needs.

    Columns: environment; of each of `PLANS` the mean score in the end, the slope, the best seen
    over random play, what training meets, the steps with those of random play, and what the
    solutions say of the reward; of the solutions the mean score and their steps; of the product's
    score on plan `own` the value with its interval, with solutions declared (`value`) and without
    (`plain`).
    """
    there = episodes.groupby("plan").environment.agg(set)
    every = set.intersection(*(there.get(plan, set()) for plan in ("random", *PLANS)))
    walked = solutions.groupby("environment").steps.sum()
    rows = []
    for name in [name for name in dict.fromkeys(episodes.environment) if name in every]:
        row: dict[str, object] = {"environment": name, "steps_solutions": float(walked[name])}
        for plan in PLANS:
            found = grounds_of(name, plan, episodes, solutions)
            value = found.value(declared=True)
            form, seen = ("", 0.0) if isinstance(value, Undefined) else (value.form, value.seen)
            row |= {
                f"{plan}_last": found.end,
                f"{plan}_slope": found.slope,
                f"{plan}_seen": seen,
                f"{plan}_met": found.met,
                f"{plan}_steps": found.steps,
                f"{plan}_beaten": form == "solutions are beaten",
                f"{plan}_unpaid": form == "solutions are not paid",
            }
            if plan == "own":
                row |= {"solution": float(found.solutions.mean()), **_values(found)}
        rows.append(row)
    return pd.DataFrame(rows)


def _values(found: Grounds) -> dict[str, float]:
    row: dict[str, float] = {}
    for name, declared in (("value", True), ("plain", False)):
        value = found.value(declared=declared)
        if not isinstance(value, Undefined):
            low, high = value.confidence_interval()
            row |= {name: value.estimate, f"{name}_low": low, f"{name}_high": high}
    return row
