"""What a validation tells of each environment before any training: one row an environment.

    python -m benchmarks.learning.validated     # plays, keeps each run
    python -m benchmarks.learning.predictors    # reads the runs, writes data/predictors.parquet

Nothing here sees a training run. Scores are scaled by the declared range, so that environments
compare. What a run cannot tell is missing, never zero.
"""

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.learning.environments import ENVIRONMENTS, LearningEnvironment
from benchmarks.learning.validated import KEPT, folder_of, kept_run
from metrics import (
    Estimate,
    Undefined,
    best_of_n_gain,
    first_action_effect,
    frontier_mass,
    group_reward_entropy,
    learnability,
    live_group_share,
    live_group_share_at_least,
    policy_information_capacity,
    zero_signal_fraction,
)
from metrics.inputs import Floats
from reports.model import Report, Rung
from validator.table import EpisodeTable, Row, actions_of, start_of

PREDICTORS = Path(__file__).resolve().parent / "data" / "predictors.parquet"
GROUP = 8
BLIND = "random"
TASK_BLIND = ("constant", "repeat", "minimal", "random", "sticky", "words")
"""Probes that stand for random policies: each draws its own way to act."""

Told = dict[str, float]


def row_of(environment: LearningEnvironment, report: Report, table: EpisodeTable) -> Told:
    """Return every predictor of one environment by name; missing ones are not a number."""
    scale = _Scale(*environment.scores)
    random = [row for row in table.originals([BLIND]) if row.score is not None]
    found = _of_random_play(random, scale, table)
    found |= _of_policies(table, scale)
    found |= _of_rungs(report, scale)
    found |= _of_learner(report, table, scale)
    found |= _of_repeats(table, scale)
    found |= _costs(environment, table)
    every = scale.of_all([r.score for r in table.everything if r.score is not None])
    if every.size:
        found |= {"seen_low": float(every.min()), "seen_high": float(every.max())}
    failed = {
        result.id for result in report.results if result.status == "fail" and not result.question
    }
    found["fatal"] = float(any(r.severity == "fail" for r in report.results if r.id in failed))
    return found


class _Scale:
    """The declared range of an episode's score, to and from [0, 1]."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.width = low, high - low

    def __call__(self, scores: Iterable[float]) -> Floats:
        found = (np.fromiter(scores, dtype=np.float64) - self.low) / self.width
        return np.asarray(np.clip(found, 0.0, 1.0))

    def of_all(self, scores: Sequence[float]) -> Floats:
        """Return scaled scores, also where they leave the range."""
        return (np.asarray(scores, dtype=np.float64) - self.low) / self.width

    def of(self, score: float | None) -> float:
        return math.nan if score is None else (score - self.low) / self.width


def scores_in(rows: Sequence[Row], scale: _Scale) -> Floats:
    """Return the scaled scores of scored rows."""
    return scale(row.score for row in rows if row.score is not None)


def _number(found: Estimate | Undefined) -> float:
    return math.nan if isinstance(found, Undefined) else float(found.estimate)


def _of_random_play(rows: Sequence[Row], scale: _Scale, table: EpisodeTable) -> Told:
    scores, starts = scores_in(rows, scale), [start_of(row.key) for row in rows]
    if not rows:
        return {}
    solved = scores >= 1.0
    by_start: dict[str, list[bool]] = defaultdict(list)
    for start, one in zip(starts, solved, strict=True):
        by_start[start].append(bool(one))
    rewards = np.concatenate([np.asarray(row.values, float) for row in rows])
    known: Callable[..., Estimate | Undefined] = live_group_share_at_least
    return {
        "random_episodes": float(len(rows)),
        "mean_reward": float(scores.mean()),
        "reward_variance": float(scores.var()),
        "random_best": float(scores.max()),
        "success_rate": float(solved.mean()),
        "signal": _number(live_group_share(scores, starts, group_size=GROUP)),
        "signal_at_least": _number(known(scores, starts, group_size=GROUP)),
        "zero_variance_share": _number(zero_signal_fraction(scores, starts, group_size=GROUP)),
        "learnability": _number(learnability(scores, starts, score_range=(0.0, 1.0))),
        "learnability_success": _number(learnability(scores, starts, threshold=1.0)),
        "group_entropy": _number(group_reward_entropy(scores, starts, group_size=GROUP)),
        "frontier_mass": _number(
            frontier_mass([sum(one) for one in by_start.values()],
                          [len(one) for one in by_start.values()])
        ),
        "best_of_8_gain": _number(best_of_n_gain(scores, starts, n=GROUP, bounds=(0.0, 1.0))),
        "first_action_effect": _first_action(rows, scores, starts, table),
        "rewarded_steps": float(np.mean(rewards != 0)) if rewards.size else 0.0,
        "mean_steps": float(np.mean([row.steps for row in rows])),
    }  # fmt: skip


def _first_action(
    rows: Sequence[Row], scores: Floats, starts: Sequence[str], table: EpisodeTable
) -> float:
    first = []
    for row in rows:
        taken = [a for a in actions_of(table.frames(row)) if isinstance(a, dict)
                 and a.get("type") == "step"]  # fmt: skip
        first.append(json.dumps(taken[0].get("data"), sort_keys=True) if taken else "")
    found = first_action_effect(scores, starts, first, rng=np.random.default_rng(0), resamples=99)
    return 0.0 if isinstance(found, Undefined) else found.statistic


def _of_policies(table: EpisodeTable, scale: _Scale) -> Told:
    """Return what the return tells of which task-blind probe earned it."""
    played = {
        probe: scores_in([r for r in table.originals([probe]) if r.score is not None], scale)
        for probe in TASK_BLIND
    }
    kept = [scores for scores in played.values() if scores.size >= 4]
    if len(kept) < 2:
        return {}
    most = min(scores.size for scores in kept)
    found = policy_information_capacity(
        [scores[:most] for scores in kept], rng=np.random.default_rng(0), resamples=99
    )
    best = max(float(scores.mean()) for scores in kept)
    bits = 0.0 if isinstance(found, Undefined) else found.bits
    return {"policy_information": bits, "blind_best": best}


def _of_rungs(report: Report, scale: _Scale) -> Told:
    best: dict[str, float] = {}
    for one in report.ladder:
        score = scale.of(one.mean_score.estimate)
        if not math.isnan(score):
            best[one.rung] = max(best.get(one.rung, -math.inf), score)
    found = {f"{rung}_score": best.get(rung, math.nan)
             for rung in ("null", "blind", "reactive", "search", "learner")}  # fmt: skip
    floor = max((best.get(rung, -math.inf) for rung in ("null", "blind")), default=math.nan)
    found["floor"] = floor
    for rung in ("reactive", "search", "learner"):
        found[f"{rung}_over_floor"] = found[f"{rung}_score"] - floor
    found["blind_over_null"] = found["blind_score"] - found["null_score"]
    found["headroom"] = 1 - floor
    searched = next((one for one in report.ladder if one.rung == "search"), None)
    reached = searched.success_rate.estimate if searched else None
    found["search_success"] = math.nan if reached is None else reached
    return found


def _of_learner(report: Report, table: EpisodeTable, scale: _Scale) -> Told:
    rung: Rung | None = next((one for one in report.ladder if one.learning is not None), None)
    if rung is None or rung.learning is None:
        return {}
    told = rung.learning
    trained = _trained(table)
    scores = scores_in(trained, scale)
    slope, error = told.slope.estimate, math.nan
    if slope is not None and told.slope.high is not None:
        error = (told.slope.high - slope) / 1.96
    after, before = (
        scores_in([r for r in table.campaigns if r.key.campaign == part and r.score is not None],
                  scale)
        for part in ("after", "before")
    )  # fmt: skip
    fifth = max(1, scores.size // 5)
    return {
        "learner_episodes": float(scores.size),
        "learner_slope": math.nan if slope is None else slope / scale.width,
        "learner_slope_t": 0.0 if slope is None or not error else slope / error,
        "learner_first": float(scores[:fifth].mean()) if scores.size else math.nan,
        "learner_last": float(scores[-fifth:].mean()) if scores.size else math.nan,
        "learner_sd": float(scores.std()) if scores.size else math.nan,
        "learner_held_out": scale.of(rung.mean_score.estimate),
        "learner_after": float(after.mean()) if after.size else math.nan,
        "learner_before": float(before.mean()) if before.size else math.nan,
        "learner_gain": math.nan
        if told.improvement.estimate is None
        else told.improvement.estimate / scale.width,
        "learner_overfit": math.nan
        if told.gap.estimate is None
        else told.gap.estimate / scale.width,
    }


def _trained(table: EpisodeTable) -> list[Row]:
    """Return the scored episodes that the learner learned from, in the order of play."""
    rows = [r for r in table.campaigns if r.key.campaign == "train" and r.score is not None]
    return sorted(rows, key=lambda row: row.key.repeat)


def _of_repeats(table: EpisodeTable, scale: _Scale) -> Told:
    """Return what scoring a trajectory again changes: noise that no learner can use."""
    cells: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for row in table.rows:
        if row.score is not None and row.key.condition in ("fresh", "reused"):
            key = row.key
            cells[key.task, key.seed, key.probe, key.walk, key.scripted, key.repeat].append(
                scale.of(row.score)
            )
    again = [np.array(scores) for scores in cells.values() if len(scores) > 1]
    if not again:
        return {}
    within = float(np.mean([scores.var(ddof=1) for scores in again]))
    means = np.array([scores.mean() for scores in again])
    agree = float(np.mean([np.ptp(scores) < 1e-9 for scores in again]))
    total = within + float(means.var())
    return {
        "repeats": float(len(again)),
        "noise_variance": within,
        "repeat_agreement": agree,
        "noise_share": within / total if total > 1e-12 else 0.0,
    }


def _costs(environment: LearningEnvironment, table: EpisodeTable) -> Told:
    steps = sum(row.steps for row in table.everything)
    learned = sum(row.steps for row in table.campaigns if row.key.probe == "learner")
    searched = sum(row.steps for row in table.campaigns if row.key.probe == "search")
    random = sum(row.steps for row in table.originals([BLIND]))
    return {
        "steps": float(steps),
        "steps_learner": float(learned),
        "steps_search": float(searched),
        "steps_random": float(random),
        "training_steps": float(environment.steps),
    }


def predictors(kept: Path = KEPT) -> pd.DataFrame:
    """Return one row for each environment that was validated."""
    rows = []
    for environment in ENVIRONMENTS:
        run = kept_run(folder_of(environment.id, kept))
        if run is not None:
            names = {"environment": environment.id, "family": environment.family,
                     "kind": environment.kind}  # fmt: skip
            rows.append({**names, **row_of(environment, *run)})
    return pd.DataFrame(rows)


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--to", type=Path, default=PREDICTORS)
    args = parser.parse_args()
    table = predictors()
    args.to.parent.mkdir(exist_ok=True)
    table.to_parquet(args.to, index=False)
    print(f"{len(table)} environments, {len(table.columns) - 3} predictors")


if __name__ == "__main__":
    main()
