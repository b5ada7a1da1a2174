"""What training is expected to gain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import MalformedInput, ParameterError, Undefined, training_value

UNIT = st.floats(0, 1)


def test_only_the_last_fifth_counts_and_is_held_against_random_play() -> None:
    learned = [0.0] * 240 + [1.0] * 45 + [0.0] * 15
    found = training_value(learned, [1, 0, 0, 0], list("abcd"), bounds=(0, 1))
    assert found.estimate == pytest.approx(0.75 - 0.25)
    assert found.n == 60


def test_it_is_a_share_of_the_range() -> None:
    found = training_value([-100.0] * 80 + [-50.0] * 20, [-75.0], ["a"], bounds=(-100, 0))
    assert found.estimate == pytest.approx(0.25)


def test_a_learner_that_falls_gains_nothing() -> None:
    found = training_value([0.0] * 100, [0, 1] * 20, list(range(20)) * 2, bounds=(0, 1))
    assert found.estimate == 0.0
    assert found.confidence_interval().low == 0.0


def test_noise_that_is_the_same_for_all_is_not_surely_a_gain() -> None:
    coin = [0.0, 1.0] * 150
    found = training_value(coin, coin, [i % 20 for i in range(300)], bounds=(0, 1))
    assert found.estimate == pytest.approx(0.0)
    assert found.confidence_interval().low == 0.0
    assert found.confidence_interval().high < 0.4


def test_the_interval_is_that_of_the_two_means() -> None:
    found = training_value([0] * 240 + [1] * 60, [0] * 40, list(range(20)) * 2, bounds=(0, 1))
    low, high = found.confidence_interval()
    # both means lie at an end: each side's bound is 1 - 0.025^(1/n)
    ends = [1 - 0.025 ** (1 / n) for n in (60, 20)]
    assert low == pytest.approx(1 - (ends[0] ** 2 + ends[1] ** 2) ** 0.5, abs=1e-6)
    assert high == 1.0


@given(st.lists(UNIT, max_size=40), st.lists(UNIT, max_size=20))
def test_any_scores_give_a_share_within_its_interval(learned, random) -> None:
    found = training_value(learned, random, list(range(len(random))), bounds=(0, 1))
    if isinstance(found, Undefined):
        assert not learned or not random
        return
    low, high = found.confidence_interval()
    assert 0.0 <= low <= found.estimate <= high <= 1.0


def test_who_played_nothing_is_named() -> None:
    assert "learner" in training_value([], [0.0], ["a"], bounds=(0, 1)).reason
    assert "random play" in training_value([0.0], [], [], bounds=(0, 1)).reason


def test_what_is_outside_the_range_or_has_none_is_refused() -> None:
    with pytest.raises(MalformedInput):
        training_value([2.0], [0.0], ["a"], bounds=(0, 1))
    with pytest.raises(ParameterError):
        training_value([0.5], [0.0], ["a"], bounds=(0, float("inf")))
