"""Keeps the episodes that the score is computed from, and plays those of two plans.

    python -m benchmarks.learning.episodes [--to FILE]

Writes `data/episodes.parquet`, a row for each episode. Plans: `random` and `eight` are random play
and the training of the learner, on eight starts by turns, in the kept runs of `validated.py`. `own`
is the learner with a start of its own for each of as many episodes; `brief` the same in so few
steps that with random play it takes 2 % of what training takes. These two are played here, over the
wire; what is there already is left.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.request import urlopen

import numpy as np
import pandas as pd

from benchmarks.learning.environments import ENVIRONMENTS, LearningEnvironment
from benchmarks.learning.serving import served_rows
from benchmarks.learning.validated import KEPT, folder_of, kept_run
from benchmarks.learning.wire import Sessions
from probes.base import Finished, Lane, Seen
from probes.campaign import Campaign, Result, Terms
from probes.learner.learner import Learner
from validator.rollouts.budget import PRESETS

EPISODES = Path(__file__).resolve().parent / "data" / "episodes.parquet"
FIRST = {"own": 2**20, "brief": 2**21}
"""Seed of the first episode of each plan that is played here."""
TERMS = PRESETS["standard"].learner
BRIEF = 0.015
"""Share of the steps of a training run that the learner of the brief plan takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One episode that was learned from."""

    environment: str
    plan: str
    episode: int
    seed: int
    steps: int
    score: float
    """Sum of the rewards."""


def learned(environment: LearningEnvironment, url: str, *, plan: str) -> list[Played]:
    """Return what the learner earned in each of its episodes, each on a start of its own."""
    most = round(BRIEF * environment.steps) if plan == "brief" else TERMS.steps
    with urlopen(f"{url}/schema", timeout=60) as answered:
        lane = Lane(action_schema=json.load(answered)["action"], tools=None)
    terms = Terms(
        episodes=TERMS.episodes,
        steps=most,
        longest=environment.horizon + 1,
        top=environment.scores[1],
    )
    campaign = Learner().campaign(lane, np.random.default_rng(0), terms)
    rows: list[Played] = []
    with Sessions(url, 1) as sessions:
        while len(rows) < TERMS.episodes and sum(row.steps for row in rows) < most:
            start = FIRST[plan] + len(rows)
            score, steps = _episode(campaign, sessions, start)
            rows.append(
                Played(
                    environment=environment.id, plan=plan, episode=len(rows), seed=start,
                    steps=steps, score=score,
                )
            )  # fmt: skip
    return rows


def _episode(campaign: Campaign, sessions: Sessions, seed: int) -> tuple[float, int]:
    agent = campaign.begin(f"-/{seed}", learning=True)
    [reply] = sessions.reset([0], [seed])
    score, steps, error, last = 0.0, 0, None, None
    while not reply.done:
        seen = Seen(observation=reply.observation, step=steps, reward=last, error=error)
        try:
            action = agent.act(seen)
        except Finished:
            break
        assert isinstance(action, dict)
        try:
            [reply] = sessions.step([0], [action])
        except ConnectionError as refused:  # the episode goes on where it was
            steps, last, error = steps + 1, None, str(refused)
            continue
        score, steps, last, error = score + reply.reward, steps + 1, reply.reward, None
    observation = reply.observation if reply.done else None
    campaign.ended(Result(score=score, reward=last, done=reply.done, observation=observation))
    return score, steps


def kept(environment: LearningEnvironment, folder: Path = KEPT) -> list[Played]:
    """Return random play and the training of the learner of a kept run."""
    run = kept_run(folder_of(environment.id, folder))
    if run is None:
        return []
    trained = [row for row in run[1].campaigns if row.key.campaign == "train"]
    trained.sort(key=lambda row: row.key.repeat)
    plans = {"eight": trained, "random": run[1].originals(["random"])}
    return [
        Played(
            environment=environment.id, plan=plan, episode=number, seed=row.key.seed or 0,
            steps=row.steps, score=row.score,
        )
        for plan, rows in plans.items()
        for number, row in enumerate(rows)
        if row.score is not None
    ]  # fmt: skip


def read_episodes(path: Path = EPISODES) -> pd.DataFrame:
    """Return what is recorded, an empty table where nothing is."""
    if path.exists():
        return pd.read_parquet(path)
    return pd.DataFrame(columns=list(Played.__dataclass_fields__))


def record(rows: Sequence[Played], path: Path) -> None:
    """Add the episodes of one environment to the file, whole or not at all."""
    added, before = pd.DataFrame([asdict(row) for row in rows]), read_episodes(path)
    table = pd.concat([before, added]) if len(before) else added
    table = table.sort_values(["plan", "environment", "episode"], ignore_index=True)
    beside = path.with_suffix(".part")
    table.to_parquet(beside, index=False)
    os.replace(beside, path)


def play_all(environments: Sequence[LearningEnvironment], path: Path) -> None:
    """Play and record what is not there, families in turn."""
    there = read_episodes(path)
    known = {plan: set(rows.environment) for plan, rows in there.groupby("plan")}
    for one in environments:
        if one.id not in known.get("random", set()) and (rows := kept(one)):
            record(rows, path)
    for plan in FIRST:
        left = [one for one in environments if one.id not in known.get(plan, set())]
        _play(_in_turn(left), plan, path)


def _in_turn(environments: Sequence[LearningEnvironment]) -> list[LearningEnvironment]:
    """Return the first of each family, then the second of each, and so on."""
    place: dict[str, int] = {}
    count: dict[str, int] = {}
    for one in environments:
        count[one.family] = place[one.id] = count.get(one.family, 0) + 1
    return sorted(environments, key=lambda one: place[one.id])


def _play(environments: Sequence[LearningEnvironment], plan: str, path: Path) -> None:
    if not environments:
        return
    with served_rows(environments) as urls:
        for one in environments:
            try:
                rows = learned(one, urls[one.id], plan=plan)
            except OSError as fault:  # one that is lost must not end the others
                print(f"{one.id}: {fault}"[:300], file=sys.stderr, flush=True)
                continue
            record(rows, path)
            last = rows[-max(1, len(rows) // 5) :]
            steps, end = sum(row.steps for row in rows), np.mean([row.score for row in last])
            print(f"{one.id}, {plan}: {len(rows)} episodes, {steps} steps, {end:.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="ID")
    parser.add_argument("--to", type=Path, default=EPISODES)
    args = parser.parse_args()
    chosen = [one for one in ENVIRONMENTS if not args.only or one.id in args.only]
    play_all(chosen, args.to)


if __name__ == "__main__":
    main()
