"""The training-value score: how its formula is chosen, and what it is worth on families held out.

A formula has a few choices (`Formula`). For each family they are made on the other families alone,
by rank correlation with what was gained there, and tested on the one left out. What is then put
into the product is what all families together choose.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from benchmarks.learning.environments import ENVIRONMENTS
from benchmarks.learning.predictive import Floats, spearman

LEARNS = 0.1
"""Gain from which an environment counts as learned: a tenth of what there is to gain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One way to compute the score, simplest choices first."""

    rise: str
    """What rises: `train` is the learner's last fifth over random play, `held out` its play on
    starts it never learned on, over random play; `both` is the mean of these; `none` uses no
    learner."""
    noise: int = 0
    """How often the share of the scores' variance that repeats keep is multiplied in."""
    hope: float = 0.0
    """Weight of what groups of random play promise, where the learner did not rise."""
    search: float = 0.0
    """Weight of what a search found above the floor, likewise."""

    def __str__(self) -> str:
        parts = [f"rise {self.rise}", f"noise^{self.noise}"]
        parts += [f"hope {self.hope:g}"] if self.hope else []
        parts += [f"search {self.search:g}"] if self.search else []
        return ", ".join(parts)

    def of(self, table: pd.DataFrame) -> Floats:
        """Return the score of each environment, in [0, 1]."""
        rose = self._rise(table)
        promised = _column(table, "signal_at_least") * (1 - _column(table, "mean_reward"))
        found = np.clip(_column(table, "search_over_floor"), 0, 1)
        rest = np.clip(self.hope * promised + self.search * found, 0, 1)
        whole = rose + (1 - rose) * rest if self.rise != "none" else rest
        kept = (1 - _column(table, "noise_share")) ** self.noise
        return np.asarray(np.clip(whole * kept, 0, 1))

    def _rise(self, table: pd.DataFrame) -> Floats:
        if self.rise == "none":
            return np.zeros(len(table))
        both = ("learner_last", "learner_held_out")
        ends = {"train": both[:1], "held out": both[1:], "both": both}[self.rise]
        chance = _column(table, "mean_reward")
        found = np.mean([np.clip(_column(table, end) - chance, 0, 1) for end in ends], axis=0)
        return np.asarray(found, dtype=np.float64)


def _column(table: pd.DataFrame, name: str) -> Floats:
    """Return a column; what could not be measured counts as none."""
    return np.asarray(table[name].fillna(0.0), dtype=np.float64)


FORMULAS: tuple[Formula, ...] = tuple(
    Formula(rise=rise, noise=noise, hope=hope, search=search)
    for rise, noise, hope, search in product(
        ("train", "held out", "both", "none"), (0, 1), (0.0, 0.1, 0.3), (0.0, 0.1, 0.3)
    )
    if rise != "none" or hope or search
)

CHEAP: tuple[Formula, ...] = tuple(one for one in FORMULAS if one.rise == "none" and not one.search)
"""Those that need no learner and no search."""


NEARLY = 0.02
"""Correlation by which a simpler formula may be worse than the best."""


def gains(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Return what each environment's learners gained, over seeds, with an interval.

    Columns: environment, gain, low, high, seeds, half_steps. The gain is that at the last point.
    Its error is that between seeds or that of the held-out episodes, whichever is larger.
    """
    rows = []
    for name, runs in outcomes.groupby("environment"):
        ends, errors, halves, lengths = [], [], [], []
        for _, run in runs.groupby("seed"):
            points = run.sort_values("env_steps")
            first, last = points.iloc[0], points.iloc[-1]
            rise = last.held_out_success - first.held_out_success
            scale = 1.0 if abs(rise) < 1e-12 else last.gain / rise
            ends.append(last.gain)
            errors.append(
                scale
                * np.hypot(first.held_out_success_sd, last.held_out_success_sd)
                / np.sqrt(last.held_out_episodes)
            )
            reached = points[points.gain >= last.gain / 2]
            halves.append(reached.iloc[0].env_steps if last.gain > LEARNS else np.nan)
            lengths.append(last.env_steps)
        mean = float(np.mean(ends))
        within = float(np.sqrt(np.mean(np.square(errors)) / len(errors)))
        between = float(np.std(ends, ddof=1) / np.sqrt(len(ends))) if len(ends) > 1 else 0.0
        reach = 1.96 * max(within, between)
        rows.append(
            {
                "environment": name,
                "gain": mean,
                "low": mean - reach,
                "high": mean + reach,
                "seeds": len(ends),
                "half_steps": float(np.mean(halves)),
                "train_steps": float(np.mean(lengths)),
            }
        )
    return pd.DataFrame(rows)


def reward_gains(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Return how far the held-out reward rose in each environment, as a share of its range."""
    ranges = {one.id: one.scores for one in ENVIRONMENTS}
    rows = []
    for name, runs in outcomes.groupby("environment"):
        if str(name) not in ranges:  # no longer among the environments
            continue
        low, high = ranges[str(name)]
        ordered = runs.sort_values("env_steps").groupby("seed").held_out_return
        rise = float((ordered.last() - ordered.first()).mean())
        rows.append({"environment": name, "reward_gain": rise / (high - low)})
    return pd.DataFrame(rows)


def joined(predictors: pd.DataFrame, outcomes: pd.DataFrame) -> pd.DataFrame:
    """Return predictors and gains of the environments that have both."""
    return predictors.merge(gains(outcomes), on="environment").reset_index(drop=True)


def learned(table: pd.DataFrame) -> Floats:
    """Return 1 where an environment was learned: a gain of a tenth, surely above zero."""
    return np.asarray((table.gain >= LEARNS) & (table.low > 0), dtype=np.float64)


def chosen(table: pd.DataFrame, formulas: Sequence[Formula] = FORMULAS) -> Formula:
    """Return the simplest formula that orders these environments nearly as well as the best."""
    gain = table.gain.to_numpy(float)
    worth = {one: spearman(one.of(table), gain) for one in formulas}
    enough = max(worth.values()) - NEARLY
    return next(one for one in sorted(formulas, key=_parts) if worth[one] >= enough)


def _parts(formula: Formula) -> int:
    """Return how many things a formula is made of."""
    rise = {"none": 0, "train": 1, "held out": 1, "both": 2}[formula.rise]
    return rise + formula.noise + (formula.hope > 0) + (formula.search > 0)


def held_out(
    table: pd.DataFrame, formulas: Sequence[Formula] = FORMULAS
) -> tuple[Floats, Counter[Formula]]:
    """Return each environment's score by the formula that the other families choose.

    And how often each formula was chosen.
    """
    found = np.full(len(table), np.nan)
    tally: Counter[Formula] = Counter()
    for family in dict.fromkeys(table.family):
        out = (table.family == family).to_numpy()
        formula = chosen(table[~out], formulas)
        tally[formula] += 1
        found[out] = formula.of(table[out])
    return found, tally


BASELINES = {
    "mean reward": "mean_reward",
    "reward variance": "reward_variance",
    "p(1 − p)": "learnability_success",
    "variance within tasks": "learnability",
    "zero-variance share": "zero_variance_share",
    "policy information capacity": "policy_information",
    "first-action effect (effective horizon)": "first_action_effect",
    "frontier mass": "frontier_mass",
    "live groups of 8": "signal_at_least",
    "group entropy": "group_entropy",
    "best of 8 less mean": "best_of_8_gain",
    "reactive over floor": "reactive_over_floor",
    "search over floor": "search_over_floor",
    "learner over floor": "learner_over_floor",
    "learner's slope": "learner_slope",
    "learner's slope over its error": "learner_slope_t",
}
"""What the score is held against, and the column of each; the first seven are published."""

PUBLISHED = 7


def baseline(table: pd.DataFrame, column: str) -> Floats:
    """Return a baseline with the better sign by the other families; missing counts as the middle.

    A baseline may predict either way: its sign is learned, as the score's choices are.
    """
    values = table[column].to_numpy(float)
    middle = 0.0 if np.all(np.isnan(values)) else float(np.nanmedian(values))
    values = np.where(np.isnan(values), middle, values)
    gain, found = table.gain.to_numpy(float), np.zeros(len(table))
    for family in dict.fromkeys(table.family):
        out = (table.family == family).to_numpy()
        sign = 1.0 if spearman(values[~out], gain[~out]) >= 0 else -1.0
        found[out] = sign * values[out]
    return found
