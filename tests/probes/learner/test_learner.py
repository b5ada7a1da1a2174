"""A learner gets better where there is something to learn, and nowhere else."""

from typing import Any

import numpy as np

from metrics.learning import learning_slope
from probes.base import Json, Lane
from probes.campaign import Campaigner, Terms
from probes.learner.features import AGAIN, columns_of, read_state, relations_of
from probes.learner.learner import Learner, Training
from probes.search.cells import leaves_of
from tests.probes.campaigning import MOVES, episode

LANE = Lane(action_schema=MOVES, tools=None)
CARDS: Json = {
    "type": "object",
    "properties": {"card": {"type": "integer", "minimum": 0, "maximum": 3}},
    "required": ["card"],
}


class Line:
    """Walk to a goal on either side."""

    def __init__(self, goal: int) -> None:
        self.goal = goal

    def reset(self) -> Json:
        self.at = self.steps = 0
        return {"at": self.at, "goal": self.goal}

    def step(self, action: Any) -> tuple[Json, float, bool]:
        self.at += {"left": -1, "right": 1, "stay": 0}[action["move"]]
        self.steps += 1
        there = self.at == self.goal
        return {"at": self.at, "goal": self.goal}, float(there), there or self.steps == 20


class Lottery(Line):
    """Pays at the end what the generator gives."""

    draws = np.random.default_rng(5)

    def step(self, action: Any) -> tuple[Json, float, bool]:
        seen, _, _ = super().step(action)
        return seen, float(self.draws.random() < 0.3), True


class Hand:
    """Pays for the greatest card."""

    def __init__(self, seed: int) -> None:
        self.cards = [int(one) for one in np.random.default_rng(seed).permutation(90)[:4]]

    def reset(self) -> Json:
        return {"cards": list[Json](self.cards)}

    def step(self, action: Any) -> tuple[Json, float, bool]:
        return self.reset(), float(self.cards[action["card"]] == max(self.cards)), True


def training(schema: Json = MOVES, seed: int = 0, episodes: int = 200) -> Training:
    terms = Terms(episodes=episodes, steps=10_000, longest=20, top=1.0)
    lane = Lane(action_schema=schema, tools=None)
    return Learner().campaign(lane, np.random.default_rng(seed), terms)


def test_a_learner_is_a_campaigner() -> None:
    assert isinstance(Learner(), Campaigner)


def test_it_learns_to_walk_and_keeps_to_it() -> None:
    campaign = training()
    goals = [-6, 6, -4, 4]
    scores = [
        episode(campaign, Line(goals[turn % 4]), start=str(goals[turn % 4]))[0]
        for turn in range(200)
    ]
    assert np.mean(scores[:40]) < 0.5
    assert np.mean(scores[-40:]) > 0.9
    assert [episode(campaign, Line(goal), learning=False)[0] for goal in goals] == [1.0] * 4


def test_what_it_learns_of_some_hands_holds_for_others() -> None:
    campaign = training(CARDS)
    for turn in range(200):
        episode(campaign, Hand(turn % 8), start=str(turn % 8))
    unseen = [episode(campaign, Hand(seed), learning=False)[0] for seed in range(100, 140)]
    assert np.mean(unseen) > 0.8


def test_it_learns_nothing_from_a_lottery() -> None:
    campaign = training(episodes=240)
    scores = [episode(campaign, Lottery(3), start=str(turn % 4))[0] for turn in range(240)]
    slope = learning_slope(scores, range(240), [turn % 4 for turn in range(240)], turn=4)
    low, high = slope.confidence_interval()  # type: ignore[union-attr]
    assert low < 0 < high


def test_a_scored_episode_teaches_nothing_and_equal_generators_learn_alike() -> None:
    one, other = training(seed=3), training(seed=3)
    for turn in range(30):
        assert episode(one, Line(3))[1] == episode(other, Line(3))[1], turn
    before = one.progress
    played = [episode(one, Line(3), learning=False)[1] for _ in range(3)]
    assert one.progress == before
    assert played[0] == played[1] == played[2]


def test_relations_say_what_an_action_is_to_what_is_seen() -> None:
    state = read_state(leaves_of({"cards": [10, 40, 20], "text": "Choose the letter beta"}))
    greatest = relations_of(state, "1", leaves_of({"card": 1}))
    least = relations_of(state, "0", leaves_of({"card": 0}))
    other = read_state(leaves_of({"cards": [9, 2, 80], "text": "Another text"}))
    assert set(greatest) & set(relations_of(other, "2", leaves_of({"card": 2}))) > set(
        greatest
    ) & set(least)
    assert relations_of(state, "b", leaves_of({"say": "beta"})).size
    assert not relations_of(state, "g", leaves_of({"say": "gamma"})).size
    assert AGAIN not in set(greatest)


def test_an_action_of_several_parts_is_known_by_them() -> None:
    one = columns_of("a", leaves_of({"tool": "set", "key": "x"}))
    other = columns_of("b", leaves_of({"tool": "set", "key": "y"}))
    assert len(set(one) & set(other)) == 1
    assert columns_of("c", leaves_of({"move": "left"})).size == 1
