"""What published learners reached in each Atari game, from the curves that Dopamine keeps.

Nothing is played here. Human and random scores are those of DQN Zoo's table.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

CURVES = Path("baselines/atari/data")
"""Of the published curves, within Dopamine's source."""
AGENTS = ("DQN", "Rainbow")
"""Agents that are kept; the best of all six says how much there was to gain."""
VARIANTS = ("_CNN", "_Impala", ".vg")
"""Files of later curves with other networks, and of plots."""
LAST = 5
"""Iterations at the end whose mean is the final score."""
SCORES = Path(__file__).resolve().parent / "data" / "atari-scores.csv"


def curves_of(path: Path) -> dict[str, pd.Series]:
    """Return each agent's return by iteration, mean over its runs.

    An iteration is 250,000 decisions, a million frames.
    """
    table = pd.DataFrame(json.loads(path.read_text("utf-8")))
    means = table.groupby(["Agent", "Iteration"])["Value"].mean()
    return {str(agent): means[agent] for agent in table["Agent"].unique()}


def row_of(curves: dict[str, pd.Series], agent: str) -> dict[str, float]:
    """Return start, end, mean over training and the best end of any agent, in points of the game.

    `start` is the mean over all agents in the first iteration, which is mostly random play.
    """
    start = float(np.mean([curve.iloc[0] for curve in curves.values()]))
    ends = {name: float(curve.iloc[-LAST:].mean()) for name, curve in curves.items()}
    mean = float(curves[agent].mean())
    top = max(ends.values())
    share = (mean - start) / (top - start) if top > start else np.nan
    return {"start": start, "end": ends[agent], "mean": mean, "top": top, "share": share}


def outcomes_of(source: Path) -> pd.DataFrame:
    """Return a row for each game and agent.

    Columns: game, agent, those of `row_of`, width (human less random score) and human (final
    score with random play 0 and human 1); the last two missing where no human score is published.

    Args:
        source: Dopamine's source, as checked out.
    """
    scores = pd.read_csv(SCORES)
    names = {name.replace("_", ""): name for name in scores.game}
    told = scores.set_index("game")
    rows = []
    for path in sorted((source / CURVES).glob("*.json")):
        if any(mark in path.name for mark in VARIANTS):
            continue
        game = names[path.stem]
        random, human = told.loc[game, ["random", "human"]].astype(float)
        curves = curves_of(path)
        for agent in AGENTS:
            row = row_of(curves, agent)
            width = human - random
            rows.append(
                {"game": game, "agent": agent, **row, "width": width,
                 "human": (row["end"] - random) / width}
            )  # fmt: skip
    return pd.DataFrame(rows).round(6)
