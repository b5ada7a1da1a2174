"""Print what the learners reached, from the recorded runs: the tables of docs/design/learning.md.

python -m benchmarks.learning.reached
"""

import pandas as pd

from benchmarks.learning.environments import ENVIRONMENTS
from benchmarks.learning.score import LEARNS, gains
from benchmarks.learning.train import read_outcomes


def reached(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each environment of the registry that has runs.

    Columns: those of `gains`, and family, kind, algorithm, start, end (true success at the first
    and last point, mean over seeds), cpu_seconds (of the training process, all seeds).
    """
    rows = []
    for name, runs in outcomes.groupby("environment"):
        points = runs.sort_values("env_steps").groupby("seed")
        rows.append(
            {
                "environment": name,
                "algorithm": runs["algorithm"].iloc[0],
                "start": points["held_out_success"].first().mean(),
                "end": points["held_out_success"].last().mean(),
                "cpu_seconds": points["cpu_seconds"].last().sum(),
            }
        )
    known = pd.DataFrame(
        [{"environment": one.id, "family": one.family, "kind": one.kind} for one in ENVIRONMENTS]
    )
    return known.merge(pd.DataFrame(rows), on="environment").merge(
        gains(outcomes), on="environment"
    )


def by_environment(table: pd.DataFrame) -> list[str]:
    """Return the lines of a table of all environments."""
    lines = [
        "| environment | kind | learner | steps | true success | gain | half of it after |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for row in table.to_dict("records"):
        half = "–" if pd.isna(row["half_steps"]) else f"{row['half_steps']:,.0f}"
        lines.append(
            f"| {row['environment']} | {row['kind']} | {row['algorithm']}"
            f" | {row['train_steps']:,.0f} | {row['start']:.2f} to {row['end']:.2f}"
            f" | {row['gain']:.2f} [{row['low']:.2f}, {row['high']:.2f}] | {half} |"
        )
    return lines


def by_group(table: pd.DataFrame, column: str) -> list[str]:
    """Return the lines of a table of families or kinds."""
    lines = [
        f"| {column} | environments | runs | learned | gain: least, median, most | CPU minutes |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, rows in table.groupby(column, sort=False):
        learned = ((rows.gain >= LEARNS) & (rows.low > 0)).sum()
        lines.append(
            f"| {name} | {len(rows)} | {rows.seeds.sum()} | {learned}"
            f" | {rows.gain.min():.2f}, {rows.gain.median():.2f}, {rows.gain.max():.2f}"
            f" | {rows.cpu_seconds.sum() / 60:.1f} |"
        )
    return lines


def main() -> None:
    table = reached(read_outcomes())
    for lines in (by_group(table, "family"), by_group(table, "kind"), by_environment(table)):
        print("\n".join(lines), end="\n\n")


if __name__ == "__main__":
    main()
