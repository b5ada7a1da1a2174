"""Predicts outcomes that nobody here produced: 60 Atari games, two published learners.

    python -m benchmarks.learning.atari measure http://127.0.0.1:8950   # plays, see atari_server.py
    python -m benchmarks.learning.atari outcomes DOPAMINE               # from a copy of its source
    python -m benchmarks.learning.atari                                 # the tables

Statistics come from at most 9,600 decisions of each game, a fiftieth of a percent of the 50 million
that the learners took. Nothing is fitted to the outcomes; only baselines get the better sign.
"""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.learning.atari_outcomes import outcomes_of
from benchmarks.learning.atari_play import DECISIONS, episodes_of, statistics
from benchmarks.learning.predictive import (
    Floats,
    kendall,
    resampled,
    resampled_difference,
    spearman,
    top_ten_recall,
)
from metrics.training_value import HOPE

DATA = Path(__file__).resolve().parent / "data"
OUTCOMES = DATA / "atari-outcomes.csv"
EPISODES = DATA / "atari-episodes.parquet"

SCORES = {
    "**training value, over the range seen**": "value",
    "rise of the learner": "rise",
    "learner's last quarter over random play": "learner_over_random",
}
"""What is ours; the sign is what it should be."""

DECLARED = {
    "training value, were random to human score declared": "declared",
    "1 over human less random score, which it and the outcome share": "narrow",
}
"""Known only where a human score is; told where that score is part of the outcome as well."""

BASELINES = {
    "mean reward": "mean_reward",
    "mean clipped reward": "clipped_mean",
    "reward variance": "reward_variance",
    "best random return over the mean": "best_gap",
    "the same in standard deviations": "best_gap_in_deviations",
    "share of episodes with a reward": "nonzero_share",
    "share of steps with a reward": "rewarded_steps",
    "variance within tasks": "learnability",
    "zero-variance share": "zero_variance_share",
    "first-action effect (effective horizon)": "first_action_effect",
    "distinct states seen": "states",
    "length of an episode": "steps",
}
"""Of unknown sign, so each is given the better one, which favours them."""

OUTCOMES_TOLD = {
    "human": "final score, random play 0 and human 1",
    "share": "area under the curve, as a share of the best published gain",
}
AGENTS = ("DQN", "Rainbow")


def measure(base: str, games: list[str], path: Path = EPISODES) -> None:
    """Play the games that are not there yet, one after the other."""
    table = pd.read_parquet(path) if path.exists() else pd.DataFrame()
    known = set(table["game"]) if len(table) else set()
    for game in games:
        if game in known:
            continue
        try:
            rows = episodes_of(game, f"{base}/{game}")
        except OSError as fault:  # one that is lost must not end the others
            print(f"{game}: {fault}"[:300], file=sys.stderr, flush=True)
            continue
        table = pd.concat([table, pd.DataFrame([asdict(row) for row in rows])], ignore_index=True)
        beside = path.with_suffix(".part")
        table.to_parquet(beside, index=False)
        beside.replace(path)
        print(f"{game}: {sum(row.steps for row in rows)} decisions", flush=True)


def measured(episodes: pd.DataFrame) -> pd.DataFrame:
    """Return one row of statistics for each game."""
    rows = [{"game": game, **statistics(group)} for game, group in episodes.groupby("game")]
    return pd.DataFrame(rows)


def with_human_range(cell: pd.DataFrame) -> pd.DataFrame:
    """Return statistics and outcomes, and the training value with the human range as the declared.

    It and the outcome are divided by the same width, which makes them agree somewhat by itself:
    `narrow` is that alone.
    """
    share = np.clip(cell["rise"] * cell["range"] / cell["width"], 0, 1)
    seen = np.clip(cell["seen"] * cell["range"] / cell["width"], 0, 1)
    return cell.assign(declared=share + (1 - share) * HOPE * seen, narrow=1 / cell["width"])


def signed(values: Floats, reached: Floats) -> Floats:
    """Return a baseline with the sign that does better here."""
    return values if spearman(values, reached) >= 0 else -values


def table(
    episodes: pd.DataFrame,
    outcomes: pd.DataFrame,
    outcome: str,
    baselines: Mapping[str, str] = BASELINES,
) -> str:
    """Return how well each number orders the games by one outcome of each agent, as Markdown."""
    found = measured(episodes)
    cells = {
        agent: outcomes[(outcomes.agent == agent) & outcomes[outcome].notna()].merge(
            found, on="game"
        )
        for agent in AGENTS
    }
    heads = [
        f"{agent}, {len(cells[agent])} games: {what}"
        for agent in AGENTS
        for what in ("Spearman", "Kendall", "top-10 recall")
    ]
    lines = [f"| what is measured before training | {' | '.join(heads)} |",
             "|---" * (len(heads) + 1) + "|"]  # fmt: skip
    named = SCORES | dict(baselines)
    if outcome == "human":
        named |= DECLARED
        cells = {agent: with_human_range(cell) for agent, cell in cells.items()}
    for name, column in named.items():
        row = [name]
        for cell in cells.values():
            reached = cell[outcome].to_numpy(float)
            values = cell[column].to_numpy(float)
            if column in baselines.values():
                values = signed(values, reached)
            row += [str(resampled(figure, values, reached))
                    for figure in (spearman, kendall, top_ten_recall)]  # fmt: skip
        lines.append(f"| {' | '.join(row)} |")
    for agent, cell in cells.items():
        reached = cell[outcome].to_numpy(float)
        others = {name: signed(cell[column].to_numpy(float), reached)
                  for name, column in baselines.items()}  # fmt: skip
        best = max(others, key=lambda name: spearman(others[name], reached))
        more = resampled_difference(spearman, cell["value"], others[best], reached)
        lines.append(f"\n{agent}: training value less the best baseline ({best}): {more}.")
    return "\n".join(lines)


def remarks(episodes: pd.DataFrame, outcomes: pd.DataFrame) -> str:
    """Return what the games paid at all, and how far the outcomes agree with one another."""
    found = measured(episodes)
    silent = sorted(found[found["range"] == 0].game)
    wide = outcomes.pivot_table(index="game", columns="agent", values=list(OUTCOMES_TOLD))
    lines = [
        f"{len(found)} games, {episodes.groupby('game').steps.sum().median():.0f} decisions each "
        f"in the median; in {len(silent)} no two episodes earned differently: {', '.join(silent)}.",
    ]
    cut = episodes.steps == DECISIONS
    ended = sorted(episodes.game[~cut].unique())
    rose = sorted(found[found.surely_rose > 0].game)
    lines += [
        f"{cut.mean():.1%} of the episodes were cut after {DECISIONS} decisions, all but in "
        f"{', '.join(ended)}.",
        f"The learner surely rose in {len(rose)}: {', '.join(rose)}.",
    ]
    for agent in AGENTS:
        cell = outcomes[(outcomes.agent == agent) & outcomes.human.notna()].merge(found, on="game")
        paid = cell[cell["range"] > 0]
        still = cell[cell["range"] == 0]
        lines.append(
            f"{agent}, final score: whether any two episodes earned differently has "
            f"{resampled(spearman, cell['range'] > 0, cell.human)} alone; among the {len(paid)} "
            f"games where they did the value has {resampled(spearman, paid.value, paid.human)}; "
            f"median {paid.human.median():.2f} there, {still.human.median():.2f} in the others."
        )
    for outcome, told in OUTCOMES_TOLD.items():
        pair = wide[outcome].dropna()
        lines.append(f"{told}: Spearman of {AGENTS[0]} with {AGENTS[1]} "
                     f"{resampled(spearman, pair[AGENTS[0]], pair[AGENTS[1]])}.")  # fmt: skip
    one = outcomes[outcomes.agent == AGENTS[0]].dropna(subset=list(OUTCOMES_TOLD))
    lines.append(f"{AGENTS[0]}: Spearman of its two outcomes "
                 f"{resampled(spearman, one['human'], one['share'])}.")  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    """Measure, keep the outcomes, or print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=["measure", "outcomes", "table"])
    parser.add_argument("at", nargs="?", default="http://127.0.0.1:8950")
    args = parser.parse_args()
    if args.what == "outcomes":
        outcomes_of(Path(args.at)).to_csv(OUTCOMES, index=False)
        return
    outcomes = pd.read_csv(OUTCOMES)
    if args.what == "measure":
        measure(args.at.rstrip("/"), sorted(outcomes.game.unique()))
        return
    episodes = pd.read_parquet(EPISODES)
    print(remarks(episodes, outcomes))
    for outcome, told in OUTCOMES_TOLD.items():
        print(f"\n{told.capitalize()}:\n")
        print(table(episodes, outcomes, outcome))


if __name__ == "__main__":
    main()
