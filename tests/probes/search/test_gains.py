"""What actions brought decides which one is tried first, and which one is left alone."""

import numpy as np

from probes.search.gains import Gains, Stars


def test_an_action_that_led_nowhere_and_earned_less_than_others_is_idle() -> None:
    gains = Gains()
    for _ in range(4):
        gains.note("stay", 0.0, moved=False)
        gains.note("go", 1.0, moved=True)
    assert gains.is_idle("stay")
    assert not gains.is_idle("go")
    assert gains.best(["stay", "go"], np.random.default_rng(0)) == "go"


def test_an_action_of_episodes_without_a_score_may_be_idle() -> None:
    gains = Gains()
    gains.moves = {"stay": (3, 0), "go": (3, 3)}
    assert gains.is_idle("stay")
    assert not gains.is_idle("go")
    assert not gains.is_idle("new")


def test_stars_keep_the_few_that_paid_most_each_once() -> None:
    stars = Stars()
    for number, reward in enumerate([1.0, 5.0, 3.0, 2.0, 4.0, 6.0, 5.5]):
        stars.note({"n": number % 6}, reward)
    assert stars.most == 6.0
    assert stars.actions == [{"n": 5}, {"n": 0}, {"n": 1}, {"n": 4}, {"n": 2}]
