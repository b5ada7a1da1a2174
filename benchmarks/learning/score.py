"""The training-value score: how its formula is chosen, and what it is worth on families held out.

A formula has a few choices (`Formula`). For each family they are made on the other families alone,
by rank correlation with what was gained there, and tested on the one left out. What is then put
into the product is what all families together choose.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd

from benchmarks.learning.environments import ENVIRONMENTS
from benchmarks.learning.predictive import Floats, spearman

LEARNS = 0.1
"""Gain from which an environment counts as learned: a tenth of what there is to gain."""


RISES: dict[str, tuple[str, ...]] = {
    "own slope": ("own",),
    "own": ("own",),
    "eight slope": ("eight",),
    "eight": ("eight",),
    "held out": (),
    "both": ("eight",),
    "none": (),
}
"""What may rise, and the plan of the learner that it is taken from (`episodes.py`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One way to compute the score, simplest choices first."""

    rise: str
    """What rises. `own` and `eight`: the learner's last fifth over random play, with a start of its
    own for each episode or with eight by turns; with `slope` a straight line's through all of its
    episodes, from first to last. `held out`: its play on starts it never learned on, over random
    play; `both`: the mean of that and of `eight`; `none` uses no learner."""
    noise: int = 0
    """How often the share of the scores' variance that repeats keep is multiplied in."""
    hope: float = 0.0
    """Weight of what groups of random play promise, where the learner did not rise."""
    search: float = 0.0
    """Weight of what a search found above the floor, likewise."""
    best: float = 0.0
    """Weight of the best that random play or the learner ever earned, over random play's mean,
    likewise."""
    solutions: str = ""
    """What declared solutions are used for. `gate`: zero where they do not surely earn more than
    random play, and where the learner surely earns more than they; `cap`: a rise counts up to what
    they earn, besides."""

    def __str__(self) -> str:
        parts = [f"rise {self.rise}"]
        parts += [f"noise^{self.noise}"] if self.noise else []
        parts += [f"hope {self.hope:g}"] if self.hope else []
        parts += [f"search {self.search:g}"] if self.search else []
        parts += [f"best {self.best:g}"] if self.best else []
        parts += [f"solutions {self.solutions}"] if self.solutions else []
        return ", ".join(parts)

    @property
    def plan(self) -> str:
        """Return the plan of the learner that is looked at."""
        return (*RISES[self.rise], "own")[0]

    def of(self, table: pd.DataFrame) -> Floats:
        """Return the score of each environment, in [0, 1]."""
        rose = self._rise(table)
        chance = _column(table, "mean_reward")
        if self.solutions == "cap":
            rose = np.minimum(rose, np.clip(_column(table, "solution") - chance, 0, 1))
        rest = self.hope * _column(table, "signal_at_least") * (1 - chance)
        rest += self.search * np.clip(_column(table, "search_over_floor"), 0, 1)
        rest += self.best * np.clip(_column(table, f"{self.plan}_seen"), 0, 1)
        kept = (1 - _column(table, "noise_share")) ** self.noise
        whole = (rose + (1 - rose) * np.clip(rest, 0, 1)) * kept
        if self.solutions:
            wrong = table[f"{self.plan}_unpaid"] | table[f"{self.plan}_beaten"]
            whole = np.where(wrong.to_numpy(bool), 0.0, whole)
        return np.asarray(np.clip(whole, 0, 1))

    def _rise(self, table: pd.DataFrame) -> Floats:
        if self.rise == "none":
            return np.zeros(len(table))
        if self.rise.endswith("slope"):
            return np.clip(_column(table, f"{self.plan}_slope"), 0, 1)
        ends = {
            "own": ("own_last",),
            "eight": ("learner_last",),
            "held out": ("learner_held_out",),
            "both": ("learner_last", "learner_held_out"),
        }[self.rise]
        chance = _column(table, "mean_reward")
        found = np.mean([np.clip(_column(table, end) - chance, 0, 1) for end in ends], axis=0)
        return np.asarray(found, dtype=np.float64)


def _column(table: pd.DataFrame, name: str) -> Floats:
    """Return a column; what could not be measured counts as none."""
    return np.asarray(table[name].fillna(0.0), dtype=np.float64)


WEIGHTS = (0.0, 0.1, 0.3)
MOST_WEIGHTS = 2
"""Things beside the rise that a formula may have."""

FORMULAS: tuple[Formula, ...] = tuple(
    Formula(rise=rise, noise=noise, hope=hope, search=search, best=best)
    for rise, noise, hope, search, best in product(RISES, (0, 1), WEIGHTS, WEIGHTS, WEIGHTS)
    if (rise != "none" or hope or search or best)
    and sum(weight > 0 for weight in (hope, search, best)) <= MOST_WEIGHTS
)
"""Where nothing is declared but the range of scores."""

USES = ("", "gate", "cap")
"""What declared solutions may be used for."""

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


def joined(*tables: pd.DataFrame, outcomes: pd.DataFrame) -> pd.DataFrame:
    """Return what was measured and the gains of the environments that are in every table."""
    found = gains(outcomes)
    for table in reversed(tables):
        found = table.merge(found, on="environment")
    return found.reset_index(drop=True)


def learned(table: pd.DataFrame) -> Floats:
    """Return 1 where an environment was learned: a gain of a tenth, surely above zero."""
    return np.asarray((table.gain >= LEARNS) & (table.low > 0), dtype=np.float64)


def chosen(table: pd.DataFrame, formulas: Sequence[Formula] = FORMULAS) -> Formula:
    """Return the simplest formula that orders these environments nearly as well as the best."""
    gain = table.gain.to_numpy(float)
    worth = {one: spearman(one.of(table), gain) for one in formulas}
    enough = max(worth.values()) - NEARLY
    return next(one for one in sorted(formulas, key=_parts) if worth[one] >= enough)


def chosen_with_solutions(table: pd.DataFrame) -> Formula:
    """Return the formula that is chosen without solutions, and what they are best used for in it.

    So that a score with solutions is the one without, but for what they show.
    """
    base = chosen(table)
    return chosen(table, [replace(base, solutions=use) for use in USES])


def _parts(formula: Formula) -> int:
    """Return how many things a formula is made of."""
    rise = {"none": 0, "both": 2}.get(formula.rise, 1)
    weights = (formula.hope, formula.search, formula.best)
    uses = {"": 0, "gate": 1, "cap": 2}[formula.solutions]
    return rise + formula.noise + sum(weight > 0 for weight in weights) + uses


def held_out(
    table: pd.DataFrame, choose: Callable[[pd.DataFrame], Formula] = chosen
) -> tuple[Floats, Counter[Formula]]:
    """Return each environment's score by the formula that the other families choose.

    And how often each formula was chosen.
    """
    found = np.full(len(table), np.nan)
    tally: Counter[Formula] = Counter()
    for family in dict.fromkeys(table.family):
        out = (table.family == family).to_numpy()
        formula = choose(table[~out])
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
    "learner's slope, eight starts": "learner_slope",
    "the same over its error": "learner_slope_t",
    "learner's slope, new starts": "own_slope",
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
