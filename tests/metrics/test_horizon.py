"""Early choices and policies, from random play."""

import numpy as np
import pytest

from metrics import MalformedInput, Undefined, first_action_effect, policy_information_capacity


def test_an_action_that_decides_is_found():
    rng = np.random.default_rng(0)
    starts, actions = np.repeat(range(5), 20), np.tile([0, 1], 50)
    returns = starts * 10 + actions * (starts % 2) + rng.normal(0, 0.1, 100)
    found = first_action_effect(returns, starts, actions, rng=np.random.default_rng(1))
    assert found.p_value == pytest.approx(0.001)
    assert 0.5 < found.statistic < 1


def test_share_is_that_of_an_analysis_of_variance():
    returns, actions = np.array([1.0, 2, 4, 5]), [0, 0, 1, 1]
    found = first_action_effect(returns, [0] * 4, actions, rng=np.random.default_rng(0))
    assert found.statistic == pytest.approx(9 / 10)


def test_actions_dealt_at_random_are_not_found():
    rng = np.random.default_rng(5)
    starts = np.repeat(range(10), 10)
    p_values = [
        first_action_effect(
            rng.normal(size=100) + starts, starts, rng.integers(0, 3, 100), rng=rng, resamples=99
        ).p_value
        for _ in range(100)
    ]
    assert np.mean(np.array(p_values) <= 0.1) < 0.2


def test_starts_that_show_nothing_are_left_out():
    found = first_action_effect(
        [0, 0, 1, 2, 5, 6], [0, 0, 1, 1, 2, 2], [0, 1, 3, 3, 0, 1], rng=np.random.default_rng(0)
    )
    assert found.n == 2
    empty = first_action_effect([1, 1], [0, 0], [0, 1], rng=np.random.default_rng(0))
    assert isinstance(empty, Undefined)
    assert isinstance(first_action_effect([], [], [], rng=np.random.default_rng(0)), Undefined)


def test_policy_information():
    rng = np.random.default_rng(0)
    told = policy_information_capacity(np.repeat([[0.0], [1], [2], [3]], 40, axis=1), rng=rng)
    assert told.significance.statistic == pytest.approx(2.0)
    assert 1.8 < told.bits < 2.0
    untold = policy_information_capacity(rng.random((4, 40)), rng=rng)
    assert abs(untold.bits) < 0.2
    assert untold.significance.p_value > 0.01
    assert isinstance(policy_information_capacity([[1, 1], [1, 1]], rng=rng), Undefined)
    with pytest.raises(MalformedInput):
        policy_information_capacity([1, 2], rng=rng)


def test_information_has_a_test_and_no_interval():
    found = policy_information_capacity(
        [[0] * 20, [1] * 20, [2] * 20], rng=np.random.default_rng(0)
    )
    assert found.estimate == found.bits
    assert found.confidence_interval() == (0.0, pytest.approx(np.log2(3)))
    assert found.method.startswith("none: ")
    assert found.n == 60
