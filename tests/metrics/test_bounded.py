"""Intervals for the mean of bounded scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import proportion
from metrics.bounded import _saddlepoint, chernoff_interval, gaffke_interval

UNIT = (0.0, 1.0)


@given(n=st.integers(1, 60), data=st.data())
def test_scores_at_the_ends_of_the_range_give_the_exact_interval(n, data):
    ones = data.draw(st.integers(0, n))
    scores = np.repeat([1.0, 0.0], [ones, n - ones])
    exact = proportion(ones, n).confidence_interval(0.95)
    assert gaffke_interval(scores, UNIT, 0.95) == pytest.approx(exact, abs=1e-12)


@given(n=st.integers(2, 60), data=st.data())
def test_integral_agrees_with_the_exact_case_it_borders_on(n, data):
    ones = data.draw(st.integers(1, n - 1))
    scores = np.repeat([1.0, 0.0, 1e-9], [ones, n - ones, 1])
    exact = proportion(ones, n + 1).confidence_interval(0.95)
    assert gaffke_interval(scores, UNIT, 0.95) == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize("n", [3, 8, 40])
def test_ends_are_quantiles_of_randomly_weighted_means(n):
    rng = np.random.default_rng(n)
    scores = rng.beta(0.5, 0.5, n)
    weights = rng.dirichlet(np.ones(n + 1), 100_000)
    low, high = gaffke_interval(scores, UNIT, 0.9)
    assert np.mean(weights @ np.append(scores, 0.0) < low) == pytest.approx(0.05, abs=0.003)
    assert np.mean(weights @ np.append(scores, 1.0) > high) == pytest.approx(0.05, abs=0.003)


def test_many_values_are_approximated_to_the_integral():
    scores = np.random.default_rng(0).beta(0.3, 2.0, 199)
    exact = gaffke_interval(scores, UNIT, 0.95)
    points, times = np.unique(np.append(scores, 1.0), return_counts=True)
    assert _saddlepoint(points - exact.high, times) == pytest.approx(0.025, rel=5e-3)


@given(
    scores=st.lists(st.floats(0, 1), min_size=1, max_size=30),
    shift=st.floats(-100, 100),
    scale=st.floats(0.01, 100),
)
def test_interval_moves_with_the_scale_and_holds_the_mean(scores, shift, scale):
    one = np.array(scores)
    low, high = gaffke_interval(one, UNIT, 0.95)
    assert 0 <= low <= one.mean() + 1e-9
    assert one.mean() - 1e-9 <= high <= 1
    moved = np.clip(one * scale + shift, shift, shift + scale)
    found = gaffke_interval(moved, (shift, shift + scale), 0.95)
    assert found == pytest.approx((low * scale + shift, high * scale + shift), abs=1e-6 * scale)


def test_equal_scores_leave_room():
    low, high = gaffke_interval(np.full(8, 0.5), UNIT, 0.95)
    assert low == pytest.approx(0.5 * 0.025 ** (1 / 8))
    assert high == pytest.approx(1 - 0.5 * 0.025 ** (1 / 8))


def test_an_open_range_leaves_that_end_open():
    low, high = gaffke_interval(np.array([0.0, 1.0, 4.0]), (0.0, np.inf), 0.95)
    assert 0 < low < 5 / 3
    assert high == np.inf


def test_chernoff_interval_holds_the_exact_one():
    for successes, n in [(0, 8), (3, 8), (8, 8), (50, 128)]:
        wide = chernoff_interval(successes / n, n, 0.95)
        exact = proportion(successes, n).confidence_interval(0.95)
        assert wide.low <= exact.low + 1e-9
        assert exact.high <= wide.high + 1e-9
    assert chernoff_interval(0.3, 0, 0.95) == (0.0, 1.0)
