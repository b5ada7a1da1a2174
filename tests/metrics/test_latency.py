"""Quantiles with distribution-free intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics import MalformedInput, ParameterError, Undefined, quantile


@given(st.integers(1, 200), st.floats(0.01, 0.99), st.sampled_from([0.9, 0.95]))
def test_interval_matches_scipy(n, q, level):
    values = np.random.default_rng(n).permutation(n).astype(float)
    low, high = quantile(values, q).confidence_interval(level)
    tail = (1 - level) / 2
    # P(X_(l) > quantile) = P(Bin(n, q) < l), P(X_(u) < quantile) = P(Bin(n, q) >= u)
    if math.isfinite(low):
        assert stats.binom.cdf(low, n, q) <= tail + 1e-12
        assert stats.binom.cdf(low + 1, n, q) > tail - 1e-12
    else:
        assert stats.binom.cdf(0, n, q) > tail - 1e-12
    if math.isfinite(high):
        assert stats.binom.sf(high, n, q) <= tail + 1e-12
        if high >= 1:
            assert stats.binom.sf(high - 1, n, q) > tail - 1e-12
    else:
        assert stats.binom.sf(n - 1, n, q) > tail - 1e-12


def test_median_of_a_hundred():
    found = quantile(range(1, 101), 0.5)
    assert (found.estimate, found.n) == (50.5, 100)
    assert found.confidence_interval(0.95) == (40.0, 61.0)


def test_too_few_values_leave_the_end_open():
    found = quantile([1.0, 2.0, 3.0], 0.95)
    assert found.estimate == pytest.approx(2.9)
    assert found.confidence_interval(0.95) == (2.0, math.inf)
    assert quantile([1.0, 2.0, 3.0], 0.5).confidence_interval(0.95) == (-math.inf, math.inf)


def test_no_value_is_undefined():
    assert quantile([], 0.5) == Undefined(reason="no value", n=0)


def test_bad_input():
    with pytest.raises(ParameterError):
        quantile([1.0], 1.0)
    with pytest.raises(MalformedInput):
        quantile([1.0, math.inf], 0.5)
