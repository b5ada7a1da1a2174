"""Prints how well the score foretold what was gained, and draws it.

    python -m benchmarks.learning.report

Reads `data/predictors.parquet` and `data/outcomes.parquet`, prints the tables of
`docs/predicts-learning.md` and writes `docs/images/predicts-learning.svg`.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.learning.predictive import (
    area_under_curve,
    resampled,
    resampled_difference,
    spearman,
)
from benchmarks.learning.predictors import PREDICTORS
from benchmarks.learning.report_picture import picture
from benchmarks.learning.score import (
    BASELINES,
    PUBLISHED,
    baseline,
    chosen,
    held_out,
    joined,
    learned,
    reward_gains,
)
from benchmarks.learning.train import OUTCOMES, read_outcomes

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "images" / "predicts-learning.svg"


def comparison(table: pd.DataFrame) -> str:
    """Return the score and every baseline, families held out, as Markdown."""
    found, _ = held_out(table)
    gain, yes = table.gain.to_numpy(float), learned(table)
    rows = [
        "| what is measured before training | Spearman with the gain | with the gain of reward "
        "| area under the curve: learned at all |",
        "|---|---|---|---|",
        _row("**training value** (formula chosen without the family)", found, table),
    ]
    others = {name: baseline(table, column) for name, column in BASELINES.items()}
    rows += [_row(name, values, table) for name, values in others.items()]
    published = list(others)[:PUBLISHED]
    best = max(published, key=lambda name: spearman(others[name], gain))
    more = resampled_difference(spearman, found, others[best], gain)
    rows.append(f"\nScore less the best published baseline ({best}): {more}.")
    rows.append(f"Learned at all: {yes.sum():.0f} of {len(table)} environments.")
    return "\n".join(rows)


def _row(name: str, values: np.ndarray, table: pd.DataFrame) -> str:
    figures = (
        resampled(spearman, values, table.gain),
        resampled(spearman, values, table.reward_gain),
        resampled(area_under_curve, values, learned(table)),
    )
    return f"| {name} | {' | '.join(map(str, figures))} |"


def groups(table: pd.DataFrame) -> str:
    """Return where the score fails: by what is the matter with environments, and by family."""
    found, _ = held_out(table)
    rows = ["| environments | n | median score | median gain | mean absolute error |",
            "|---|---|---|---|---|"]  # fmt: skip
    for column in ("kind", "family"):
        for name in dict.fromkeys(table[column]):
            at = (table[column] == name).to_numpy()
            wrong = np.abs(found[at] - table.gain[at]).mean()
            rows.append(
                f"| {name} | {at.sum()} | {np.median(found[at]):.2f} "
                f"| {table.gain[at].median():.2f} | {wrong:.2f} |"
            )
    honest = ~table.kind.isin(["hackable"]).to_numpy()
    rows.append(
        f"\nWithout the hackable ones: {resampled(spearman, found[honest], table.gain[honest])}."
    )
    return "\n".join(rows)


def costs(table: pd.DataFrame) -> str:
    """Return what validation cost, against the steps of a training run."""
    whole = table.steps / table.train_steps
    part = (table.steps_learner + table.steps_random) / table.train_steps
    return "\n".join(
        f"{name}: median {share.median():.1%}, from {share.min():.1%} to {share.max():.0%} of the "
        "steps of one training run."
        for name, share in (("The whole validation", whole),
                            ("Learner and random play, all that the score needs", part))
    )  # fmt: skip


def main() -> None:
    """Print the tables and draw the picture."""
    outcomes = read_outcomes(OUTCOMES)
    table = joined(pd.read_parquet(PREDICTORS), outcomes)
    table = table.merge(reward_gains(outcomes), on="environment")
    _, tally = held_out(table)
    print(f"{len(table)} environments of {table.family.nunique()} families, "
          f"{table.seeds.min()} to {table.seeds.max()} seeds each.\n")  # fmt: skip
    print(comparison(table), end="\n\n")
    print("Chosen without a family: "
          + "; ".join(f"{formula} ({count})" for formula, count in tally.items()))  # fmt: skip
    print(f"Chosen on all: {chosen(table)}\n")
    print(groups(table), end="\n\n")
    print(costs(table))
    PICTURE.write_text(picture(table), encoding="utf-8")


if __name__ == "__main__":
    main()
