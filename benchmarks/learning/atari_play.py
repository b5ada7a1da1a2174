"""What is played of each Atari game, over the wire, and what these episodes tell.

Random play and the product's learner, as a validation would play them; the games are strangers
behind an address (`atari_server.py`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.request import urlopen

import numpy as np
import pandas as pd

from benchmarks.learning.wire import Json, Reply, Sessions
from metrics import (
    Undefined,
    first_action_effect,
    learnability,
    training_value,
    zero_signal_fraction,
)
from probes.base import Agent, Lane, Seen
from probes.blind.uniform import Uniform
from probes.campaign import Result, Terms
from probes.learner.learner import Learner

STARTS, GROUP = 4, 8
"""Seeds of random play, and episodes of each."""
LEARNED = 32
"""Episodes of the learner, each on a seed of its own."""
DECISIONS = 150
"""Most of an episode, as the server is told."""
FIRST = 2**20
"""Seed of the learner's first episode."""
QUARTER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One episode of one game."""

    game: str
    plan: str
    """`random` or `learner`."""
    episode: int
    seed: int
    steps: int
    score: float
    """Sum of the rewards."""
    rewarded: int
    """Steps with another reward than 0."""
    clipped: float
    """Sum of the signs of the rewards, which is what the published learners were paid."""
    first: str
    """First action."""
    new_states: int
    """Pictures that no earlier episode of the plan had shown."""


@dataclass(slots=True)
class _Course:
    """One episode as it went."""

    first: str
    rewards: list[float]
    pictures: list[str]
    last: Reply


def episodes_of(game: str, url: str) -> list[Played]:
    """Return random play and the learner's training in one game."""
    with urlopen(f"{url}/schema", timeout=60) as answered:
        lane = Lane(action_schema=json.load(answered)["action"], tools=None)
    rows: list[Played] = []
    with Sessions(url, 1) as sessions:
        known: set[str] = set()
        for number in range(STARTS * GROUP):
            agent = Uniform().begin(lane, np.random.default_rng([number, 0]))
            course = _play(agent, sessions, number // GROUP)
            rows.append(_row(game, "random", number, number // GROUP, course, known))
        terms = Terms(
            episodes=LEARNED, steps=LEARNED * DECISIONS, longest=DECISIONS + 1, top=None
        )  # fmt: skip
        campaign = Learner().campaign(lane, np.random.default_rng(0), terms)
        known = set()
        for number in range(LEARNED):
            seed = FIRST + number
            course = _play(campaign.begin(f"-/{seed}", learning=True), sessions, seed)
            campaign.ended(
                Result(
                    score=sum(course.rewards), reward=course.last.reward, done=course.last.done,
                    observation=course.last.observation,
                )
            )  # fmt: skip
            rows.append(_row(game, "learner", number, seed, course, known))
    return rows


def _play(agent: Agent, sessions: Sessions, seed: int) -> _Course:
    [reply] = sessions.reset([0], [seed])
    course = _Course("", [], [_picture(reply)], reply)
    paid: float | None = None
    while not reply.done and len(course.rewards) <= DECISIONS:
        seen = Seen(observation=reply.observation, step=len(course.rewards), reward=paid)
        action = agent.act(seen)
        assert isinstance(action, dict)
        course.first = course.first or json.dumps(action, sort_keys=True)
        [reply] = sessions.step([0], [action])
        paid = reply.reward
        course.rewards.append(reply.reward)
        course.pictures.append(_picture(reply))
    course.last = reply
    return course


def _picture(reply: Reply) -> str:
    seen: Json = {name: value for name, value in reply.observation.items() if name != "metadata"}
    return json.dumps(seen, sort_keys=True)


def _row(
    game: str, plan: str, number: int, seed: int, course: _Course, known: set[str]
) -> Played:  # fmt: skip
    new = set(course.pictures) - known
    known |= new
    rewards = np.array(course.rewards)
    return Played(
        game=game, plan=plan, episode=number, seed=seed, steps=rewards.size,
        score=float(rewards.sum()), rewarded=int(np.sum(rewards != 0)),
        clipped=float(np.sign(rewards).sum()), first=course.first, new_states=len(new),
    )  # fmt: skip


def statistics(rows: pd.DataFrame) -> dict[str, float]:
    """Return what the episodes of one game tell, none of it about any published outcome.

    Scores are taken as shares of the range that was seen in these episodes, since none is known
    before; a game in which all earned the same has no range, and is worth 0 throughout.
    """
    rows = rows.sort_values("episode")
    random, learner = rows[rows.plan == "random"], rows[rows.plan == "learner"]
    low, high = float(rows.score.min()), float(rows.score.max())
    width = high - low or 1.0
    chance = (random.score.to_numpy(float) - low) / width
    learned = (learner.score.to_numpy(float) - low) / width
    starts = random.seed.tolist()
    value = training_value(learned, chance, starts, bounds=(0.0, 1.0))
    rise, seen = (0.0, 0.0) if isinstance(value, Undefined) else (value.rise, value.seen)
    spread = float(chance.std())
    quarter = max(1, learned.size // QUARTER)
    return {
        "value": 0.0 if isinstance(value, Undefined) else value.estimate,
        "rise": rise,
        "seen": seen,
        "surely_rose": float(
            not isinstance(value, Undefined) and value.confidence_interval().low > 0
        ),
        "range": high - low,
        "learner_over_random": float(learned[-quarter:].mean() - chance.mean()),
        "mean_reward": float(random.score.mean()),
        "reward_variance": float(random.score.var(ddof=0)),
        "clipped_mean": float(random.clipped.mean()),
        "best_gap": float(random.score.max() - random.score.mean()),
        "best_gap_in_deviations": float(chance.max() - chance.mean()) / spread if spread else 0.0,
        "nonzero_share": float(np.mean(random.score != 0)),
        "rewarded_steps": float(random.rewarded.sum() / random.steps.sum()),
        "steps": float(random.steps.mean()),
        "states": float(random.new_states.sum() / (random.steps + 1).sum()),
        **_published(chance, starts, random["first"].tolist()),
    }


def _published(chance: np.ndarray, starts: Sequence[int], first: Sequence[str]) -> dict[str, float]:
    rng = np.random.default_rng(0)
    effect = first_action_effect(chance, starts, first, rng=rng, resamples=99)
    learn = learnability(chance, starts, score_range=(0.0, 1.0))
    silent = zero_signal_fraction(chance, starts, group_size=GROUP)
    return {
        "first_action_effect": 0.0 if isinstance(effect, Undefined) else effect.statistic,
        "learnability": 0.0 if isinstance(learn, Undefined) else learn.estimate,
        "zero_variance_share": 1.0 if isinstance(silent, Undefined) else silent.estimate,
    }
