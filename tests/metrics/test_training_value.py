"""What training is expected to gain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import MalformedInput, ParameterError, Undefined, training_value

UNIT = st.floats(0, 1)
RISING = [0, 0, 1, 0] * 40 + [1, 0, 1, 1] * 40
"""From a quarter to three quarters."""
CHANCE = [0, 1, 0, 0] * 10
TASKS = [i // 2 for i in range(40)]


def solved(*scores: float) -> dict[str, object]:
    return {"solutions": scores, "solution_tasks": range(len(scores))}


def test_it_is_the_rise_of_a_line_and_three_tenths_of_what_else_was_seen() -> None:
    scores = np.linspace(0.2, 0.6, 100)
    found = training_value(scores, [0.1, 0.3], ["a", "b"], bounds=(0, 1))
    assert found.rise == pytest.approx(0.4)
    assert found.seen == pytest.approx(0.6 - 0.2)
    assert found.estimate == pytest.approx(0.4 + 0.6 * 0.3 * 0.4)
    assert found.n == 100


def test_a_line_through_steps_is_that_of_least_squares() -> None:
    found = training_value(RISING, CHANCE, TASKS, bounds=(0, 1))
    order = np.arange(320)
    slope, constant = np.polyfit(order, RISING, 1)
    assert found.rise == pytest.approx(slope * 319)
    left = RISING - slope * order - constant
    error = np.sqrt(left @ left / 318 / np.sum((order - order.mean()) ** 2)) * 319
    assert found.error == pytest.approx(error)


def test_it_is_a_share_of_the_range() -> None:
    scores = np.linspace(-100, -50, 50)
    found = training_value(scores, [-75.0], ["a"], bounds=(-100, 0))
    assert found.rise == pytest.approx(0.5)
    assert found.seen == pytest.approx(0.25)


def test_a_learner_that_falls_gains_nothing_of_its_own() -> None:
    found = training_value([1.0] * 50 + [0.0] * 50, CHANCE, TASKS, bounds=(0, 1))
    assert found.rise < -1
    assert found.estimate == pytest.approx(0.3 * 0.75)
    assert found.confidence_interval().low == 0.0


def test_what_was_only_seen_is_hope_and_never_sure() -> None:
    once = [0.0] * 80 + [1.0] + [0.0] * 80
    found = training_value(once, [0.0], ["a"], bounds=(0, 1))
    assert found.estimate == pytest.approx(0.3)
    assert found.confidence_interval().low == 0.0


def test_noise_that_is_the_same_for_all_is_not_surely_a_gain() -> None:
    coin = [0.0, 1.0] * 150
    found = training_value(coin, coin, [i % 20 for i in range(300)], bounds=(0, 1))
    low, high = found.confidence_interval()
    assert low == 0.0
    assert found.estimate == pytest.approx(0.15, abs=0.02)
    assert high < 0.4


def test_the_interval_is_that_of_the_rise() -> None:
    rng = np.random.default_rng(3)
    within = 0
    for _ in range(300):
        scores = 0.3 + 0.4 * np.linspace(0, 1, 60) + rng.normal(0, 0.05, 60)
        low, _ = training_value(scores, [0.3], ["a"], bounds=(0, 1)).confidence_interval()
        within += low <= 0.4
    assert 0.955 <= within / 300 <= 0.995, "a bound that holds in 97.5 of 100"


def test_solutions_that_earn_no_more_than_chance_make_it_zero() -> None:
    found = training_value(RISING, CHANCE, TASKS, bounds=(0, 1), **solved(*[0, 0, 0, 1] * 4))
    assert found.form == "solutions are not paid"
    assert found.estimate == 0.0
    assert found.confidence_interval() == (0.0, 0.0)
    assert found.method.endswith("; solutions are not paid")


def test_a_learner_that_beats_the_solutions_makes_it_zero() -> None:
    found = training_value([0.0] * 160 + [1.0] * 160, CHANCE, TASKS, bounds=(0, 1),
                           **solved(*[0.6] * 16))  # fmt: skip
    assert found.form == "solutions are beaten"
    assert found.estimate == 0.0


def test_solutions_that_are_paid_leave_it_as_it_is() -> None:
    plain = training_value(RISING, CHANCE, TASKS, bounds=(0, 1))
    found = training_value(RISING, CHANCE, TASKS, bounds=(0, 1), **solved(*[1.0] * 8))
    assert (plain.form, found.form) == ("nothing declared", "solutions declared")
    assert found.estimate == plain.estimate > 0.75


def test_fewer_than_eight_solutions_decide_nothing() -> None:
    found = training_value(RISING, CHANCE, TASKS, bounds=(0, 1), **solved(*[0.0] * 7))
    assert found.form == "nothing declared"


@given(st.lists(UNIT, max_size=40), st.lists(UNIT, max_size=20), st.lists(UNIT, max_size=12))
def test_any_scores_give_a_share_within_its_interval(learned, random, solutions) -> None:
    found = training_value(
        learned, random, list(range(len(random))), bounds=(0, 1), **solved(*solutions)
    )
    if isinstance(found, Undefined):
        assert len(learned) < 8 or not random
        return
    low, high = found.confidence_interval()
    assert 0.0 <= low <= found.estimate <= high <= 1.0


def test_who_played_too_little_is_named() -> None:
    assert "7 episodes of a learner" in training_value([0] * 7, [0.0], ["a"], bounds=(0, 1)).reason
    assert "random play" in training_value([0.0] * 8, [], [], bounds=(0, 1)).reason


def test_what_is_outside_the_range_or_has_none_is_refused() -> None:
    with pytest.raises(MalformedInput):
        training_value([2.0] * 8, [0.0], ["a"], bounds=(0, 1))
    with pytest.raises(MalformedInput):
        training_value([0.5] * 8, [0.0], ["a"], bounds=(0, 1), **solved(2.0))
    with pytest.raises(ParameterError):
        training_value([0.5] * 8, [0.0], ["a"], bounds=(0, float("inf")))
