"""Predicts outcomes that nobody here produced: 80 tabular MDPs, three published learners.

    python -m benchmarks.learning.tabular measure   # plays, into data/tabular-statistics.parquet
    python -m benchmarks.learning.tabular           # the table

Statistics come from 9,800 steps of each rebuilt MDP and seed, 2% of what the learners took, played
in process through reset and step alone. Each learner is predicted apart. The score has one weight,
chosen on six families and tested on the seventh.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.learning.predictive import (
    Floats,
    Mask,
    kendall,
    leave_one_out,
    resampled,
    resampled_difference,
    spearman,
    top_ten_recall,
)
from benchmarks.learning.tabular_play import mean_of, statistics
from benchmarks.learning.tabular_worlds import TabularEnvironment, compiled

DATA = Path(__file__).resolve().parent / "data"
OUTCOMES = DATA / "tabular-mdp-outcomes.csv"
STATISTICS = DATA / "tabular-statistics.parquet"
SEEDS = 2
"""Of five: instances of each MDP that are played. Outcomes are means over all five."""
MDP = ["set", "family", "mdp_index"]

CELLS = (
    ("episodic", "PSRL"), ("episodic", "QLearning"),
    ("continuous", "PSRL"), ("continuous", "QLearning"), ("continuous", "UCRL2"),
)  # fmt: skip

GAP_WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0)
"""What the gap may weigh against the number of states, on the scale of logarithms."""

LEAST_GAP = 1e-3

PUBLISHED = {
    "mean reward": "mean_reward",
    "reward variance": "reward_variance",
    "p(1 − p)": "learnability",
    "zero-variance share": "zero_variance_share",
    "first-action effect": "first_action_effect",
}
"""Baselines that a client can measure; of unknown sign, so each is given the better one."""


def measure() -> pd.DataFrame:
    """Play every instance and return its MDP's statistics, means over the seeds."""
    table = pd.read_csv(OUTCOMES).drop_duplicates([*MDP, "seed"])
    table = table[table.seed < SEEDS]
    rows = []
    for names, group in table.groupby(MDP):
        found = []
        for row in group.to_dict("records"):
            horizon = None if np.isnan(row["horizon"]) else int(row["horizon"])
            params, layout = json.loads(row["params"]), json.loads(row["layout"])
            mdp = compiled(row["family"], params, layout, horizon)
            found.append(statistics(TabularEnvironment(mdp), int(row["seed"])))
        rows.append({**dict(zip(MDP, names, strict=True)), **mean_of(found)})
    return pd.DataFrame(rows)


def outcomes(setting: str, learner: str, *, capped: bool) -> pd.DataFrame:
    """Return mean progress and the told facts of each MDP of one cell.

    Without `capped` runs that the published clock ended are left out, and MDPs with no other.
    """
    table = pd.read_csv(OUTCOMES)
    chosen = table[(table.setting == setting) & (table.learner == learner)]
    if not capped:
        chosen = chosen[chosen.capped == 0]
    told = ["progress", "n_base_states", "reward_optimal", "reward_random"]
    means: pd.DataFrame = chosen.groupby(MDP)[told].mean().reset_index()
    means["raw_gap"] = means.reward_optimal - means.reward_random
    return means


def score(cell: pd.DataFrame, weight: float) -> Floats:
    """Return w · log(gap) − log(states), both as a client measures them.

    Theory bounds the regret of learners that explore on purpose by about the root of states times
    actions times steps, while `progress` divides it by gap times steps: many states make learning
    slow, and a small gap makes it invisible.
    """
    gap = np.maximum(cell.planned_gap.to_numpy(float), LEAST_GAP)
    states = cell.any_states_estimated.to_numpy(float)
    return np.asarray(weight * np.log(gap) - np.log(states))


def predicted(cell: pd.DataFrame) -> Floats:
    """Return the score of each MDP with the weight that the other families choose."""
    reached = cell.progress.to_numpy(float)

    def fit(kept: Mask) -> Callable[[Mask], Floats]:
        def worth(weight: float) -> float:
            return round(spearman(score(cell[kept], weight), reached[kept]), 3)

        best = max(GAP_WEIGHTS, key=worth)
        return lambda others: score(cell[others], best)

    return leave_one_out(cell.family.tolist(), fit)


def table(*, capped: bool) -> str:
    """Return the table of all cells as Markdown."""
    measured = pd.read_parquet(STATISTICS)
    lines = [
        "| learner | n | score: Spearman | Kendall | top-10 recall | states alone | raw gap alone "
        "| best measured baseline | score less states |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for setting, learner in CELLS:
        cell = outcomes(setting, learner, capped=capped).merge(measured, on=MDP)
        reached = cell.progress.to_numpy(float)
        found = predicted(cell)
        alone = {
            name: max(
                (sign * cell[column].to_numpy(float) for sign in (1.0, -1.0)),
                key=lambda one: spearman(one, reached),
            )
            for name, column in PUBLISHED.items()
        }
        best = max(alone, key=lambda name: spearman(alone[name], reached))
        states = -cell.n_base_states.to_numpy(float)
        figures = (
            resampled(spearman, found, reached),
            resampled(kendall, found, reached),
            resampled(top_ten_recall, found, reached),
            resampled(spearman, states, reached),
            resampled(spearman, cell.raw_gap, reached),
            f"{best} {resampled(spearman, alone[best], reached)}",
            resampled_difference(spearman, found, states, reached),
        )
        lines.append(f"| {setting}, {learner} | {len(cell)} | {' | '.join(map(str, figures))} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, or print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=["measure", "table"], default="table")
    if parser.parse_args().what == "measure":
        measure().to_parquet(STATISTICS, index=False)
        return
    print("Without runs that the published clock ended:\n")
    print(table(capped=False))
    print("\nWith them:\n")
    print(table(capped=True))


if __name__ == "__main__":
    main()
