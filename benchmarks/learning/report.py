"""Prints how well the score foretold what was gained, and draws it.

    python -m benchmarks.learning.report

Reads `data/*.parquet`, prints the tables of `docs/predicts-learning.md` and writes
`docs/images/predicts-learning.svg`.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.learning.cheaper import Plan, curve, stopped
from benchmarks.learning.episodes import EPISODES
from benchmarks.learning.grounds import grounds, grounds_of
from benchmarks.learning.predictive import (
    Floats,
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
    chosen_with_solutions,
    held_out,
    joined,
    learned,
    reward_gains,
)
from benchmarks.learning.solutions import SOLUTIONS
from benchmarks.learning.train import OUTCOMES, read_outcomes

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "images" / "predicts-learning.svg"
WORST = 10
WAYS = {"solutions declared": chosen_with_solutions, "nothing declared": chosen}
"""What an author declares beside the range, and how the formula is then chosen."""


def everything(outcomes: Path = OUTCOMES) -> pd.DataFrame:
    """Return one row for each environment: all that was measured, and all that was gained."""
    episodes, solutions = pd.read_parquet(EPISODES), pd.read_parquet(SOLUTIONS)
    runs = read_outcomes(outcomes)
    table = joined(pd.read_parquet(PREDICTORS), grounds(episodes, solutions), outcomes=runs)
    return table.merge(reward_gains(runs), on="environment")


def comparison(table: pd.DataFrame, found: dict[str, Floats]) -> str:
    """Return the score and every baseline, families held out, as Markdown."""
    gain = table.gain.to_numpy(float)
    rows = [
        "| what is measured before training | Spearman with the gain | with the gain of reward "
        "| area under the curve: learned at all |",
        "|---|---|---|---|",
        *(_row(f"**training value, {way}**", scores, table) for way, scores in found.items()),
    ]
    others = {name: baseline(table, column) for name, column in BASELINES.items()}
    rows += [_row(name, values, table) for name, values in others.items()]
    published = list(others)[:PUBLISHED]
    best = max(published, key=lambda name: spearman(others[name], gain))
    rows.append("")
    for way, scores in found.items():
        more = resampled_difference(spearman, scores, others[best], gain)
        rows.append(f"{way.capitalize()}, less the best published baseline ({best}): {more}.")
    rows.append(f"Learned at all: {learned(table).sum():.0f} of {len(table)} environments.")
    return "\n".join(rows)


def _row(name: str, values: Floats, table: pd.DataFrame) -> str:
    figures = (
        resampled(spearman, values, table.gain),
        resampled(spearman, values, table.reward_gain),
        resampled(area_under_curve, values, learned(table)),
    )
    return f"| {name} | {' | '.join(map(str, figures))} |"


def groups(table: pd.DataFrame, found: dict[str, Floats]) -> str:
    """Return where the score fails: by what is the matter with environments, and by family."""
    rows = ["| environments | n | median score, " + " | ".join(found) + " | median gain "
            "| mean absolute error, " + " | ".join(found) + " |",
            "|---|---|---|---|---|---|---|"]  # fmt: skip
    for column in ("kind", "family"):
        for name in dict.fromkeys(table[column]):
            at = (table[column] == name).to_numpy()
            middles = [f"{np.median(scores[at]):.2f}" for scores in found.values()]
            wrong = [f"{np.abs(scores[at] - table.gain[at]).mean():.2f}"
                     for scores in found.values()]  # fmt: skip
            cells = [name, f"{at.sum()}", *middles, f"{table.gain[at].median():.2f}", *wrong]
            rows.append(f"| {' | '.join(cells)} |")
    honest = ~table.kind.isin(["hackable"]).to_numpy()
    rows.append("")
    for way, scores in found.items():
        kept = resampled(spearman, scores[honest], table.gain[honest])
        rows.append(f"Without the hackable ones, {way}: {kept}.")
    return "\n".join(rows)


def worst(table: pd.DataFrame, scores: Floats) -> str:
    """Return the environments whose rank by the score is farthest from that by the gain."""
    ranks = [pd.Series(values).rank(pct=True).to_numpy() for values in (scores, table.gain)]
    order = np.argsort(-np.abs(ranks[0] - ranks[1]), kind="stable")[:WORST]
    rows = ["| environment | kind | score | gain |", "|---|---|---|---|"]
    for at in order:
        row = table.iloc[at]
        rows.append(
            f"| `{row.environment}` | {row.kind} | {scores[at]:.2f} "
            f"| {row.gain:.2f} [{row.low:.2f}, {row.high:.2f}] |"
        )
    return "\n".join(rows)


def costs(table: pd.DataFrame) -> str:
    """Return what validation cost, against the steps of a training run."""
    shares = {
        "The whole validation": table.steps,
        "Learner and random play, all that the score needs": table.own_steps,
        "Solutions, where declared": table.steps_solutions,
    }
    rows = []
    for name, steps in shares.items():
        share = steps / table.train_steps
        few = f"{(share <= 0.02).sum()} of {len(share)}"
        rows.append(
            f"{name}: median {share.median():.1%}, from {share.min():.1%} to {share.max():.0%} of "
            f"the steps of one training run, at most 2 % in {few}."
        )
    cost = table.own_steps / table.train_steps
    by_family = cost.groupby(table.family, sort=False).median()
    told = ", ".join(f"{name} {share:.1%}" for name, share in by_family.items())
    return "\n".join([*rows, f"Learner and random play by family, median: {told}."])


def plans(table: pd.DataFrame) -> list[Plan]:
    """Return parts of the kept episodes, and those of the brief plan."""
    episodes, solutions = pd.read_parquet(EPISODES), pd.read_parquet(SOLUTIONS)
    whole, brief = (
        Plan(
            name=name,
            grounds={
                one: grounds_of(one, plan, episodes, solutions) for one in table.environment
            },
        )
        for plan, name in (("own", "all"), ("brief", "a learner told to make do with 2 %"))
    )  # fmt: skip
    return [
        whole,
        whole.cut("stopped where the rise is plain or plainly absent", stopped),
        whole.cut("the first half", lambda found: found.part(0.5)),
        whole.cut("the first quarter", lambda found: found.part(0.25)),
        brief,
    ]


def main() -> None:
    """Print the tables and draw the picture."""
    table = everything()
    ways = {way: held_out(table, choose) for way, choose in WAYS.items()}
    found = {way: scores for way, (scores, _) in ways.items()}
    print(f"{len(table)} environments of {table.family.nunique()} families, "
          f"{table.seeds.min()} to {table.seeds.max()} seeds each.\n")  # fmt: skip
    print(comparison(table, found), end="\n\n")
    for way, (_, tally) in ways.items():
        told = "; ".join(f"{formula} ({count})" for formula, count in tally.items())
        print(f"{way.capitalize()}, chosen without a family: {told}; on all: {WAYS[way](table)}")
    print("\n" + groups(table, found), end="\n\n")
    print(worst(table, found["solutions declared"]), end="\n\n")
    print(costs(table), end="\n\n")
    print(curve(table, plans(table)))
    PICTURE.write_text(picture(table), encoding="utf-8")


if __name__ == "__main__":
    main()
