"""What more tries promise."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics import (
    MalformedInput,
    ParameterError,
    Undefined,
    best_of_n_gain,
    frontier_mass,
)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=8), st.data())
def test_best_of_n_counts_all_draws(scores, data):
    size = data.draw(st.integers(2, len(scores)))
    draws = list(itertools.combinations(scores, size))
    found = best_of_n_gain(scores, ["t"] * len(scores), n=size)
    expected = np.mean([max(draw) for draw in draws]) - np.mean(scores)
    assert found.estimate == pytest.approx(expected, abs=1e-9)


def test_frontier_mass_is_the_posterior_of_the_band():
    found = frontier_mass([4, 0], [8, 8], band=(0.2, 0.8), prior=(1, 1))
    beta = stats.beta
    expected = [
        beta(5, 5).cdf(0.8) - beta(5, 5).cdf(0.2),
        beta(1, 9).cdf(0.8) - beta(1, 9).cdf(0.2),
    ]
    assert found.per_task == pytest.approx(expected)
    assert found.estimate == pytest.approx(np.mean(expected))


def test_frontier_interval_is_that_of_a_sum_of_coins():
    found = frontier_mass([20] * 12, [100] * 12, band=(0.0, 0.2), prior=(0.5, 0.5))
    coin = stats.binom(12, found.per_task[0])
    low, high = found.confidence_interval(0.9)
    assert low * 12 == coin.ppf(0.05)
    assert high * 12 == coin.ppf(0.95)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: frontier_mass([2], [1]), MalformedInput),
        (lambda: frontier_mass([1], [1], band=(0.8, 0.2)), ParameterError),
        (lambda: frontier_mass([1], [1], prior=(0, 1)), ParameterError),
        (lambda: best_of_n_gain([0, 2], [0, 0], n=2, bounds=(0, 1)), MalformedInput),
        (lambda: best_of_n_gain([0, 1], [0, 0], n=1), ParameterError),
    ],
)
def test_bad_input_is_a_typed_error(call, error):
    with pytest.raises(error):
        call()


def test_too_little_is_undefined():
    assert isinstance(best_of_n_gain([0, 1], [0, 1], n=2), Undefined)
    assert isinstance(frontier_mass([], []), Undefined)
