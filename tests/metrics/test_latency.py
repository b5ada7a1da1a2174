"""Quantiles with distribution-free intervals."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics import (
    MalformedInput,
    ParameterError,
    Undefined,
    drift,
    quantile,
    throughput_scaling,
)


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


def test_drift_matches_scipy():
    rng = np.random.default_rng(0)
    values = 0.02 * np.arange(60) + rng.standard_t(2, 60)
    found = drift(values)
    expected = stats.theilslopes(values, alpha=0.95)
    assert found.estimate == pytest.approx(expected.slope, abs=1e-9)
    low, high = found.confidence_interval(0.95)
    slopes = np.sort(
        [(values[j] - values[i]) / (j - i) for i in range(60) for j in range(i + 1, 60)]
    )
    near = np.searchsorted(slopes, [expected.low_slope, expected.high_slope])
    mine = np.searchsorted(slopes, [low, high])
    assert np.all(np.abs(near - mine) <= 1)


def test_drift_of_a_long_run_uses_disjoint_pairs():
    values = np.random.default_rng(1).normal(size=5000) + 1e-3 * np.arange(5000)
    found = drift(values)
    low, high = found.confidence_interval()
    assert low < 1e-3 < high
    assert high - low < 3e-4
    assert found.method == "Theil-Sen, disjoint pairs"


def test_drift_takes_positions_and_refuses_too_few():
    assert drift(np.arange(10.0), np.arange(10.0) * 2).estimate == 0.5
    assert isinstance(drift([1.0, 2.0]), Undefined)
    assert isinstance(drift(np.arange(10.0), np.ones(10)), Undefined)
    with pytest.raises(MalformedInput):
        drift([1.0] * 10, [1.0])


def test_throughput_law_is_recovered():
    n = np.array([1, 2, 4, 8, 16, 32])
    x = 120 * n / (1 + 0.05 * (n - 1) + 0.002 * n * (n - 1))
    found = throughput_scaling(n, x)
    expected = (120, 0.05, 0.002)
    parts = (found.single, found.contention, found.crosstalk)
    assert [part.estimate for part in parts] == pytest.approx(expected)
    assert [part.n for part in parts] == [6, 6, 6]
    for part, true in zip(parts, expected, strict=True):
        assert part.confidence_interval() == pytest.approx((true, true), rel=1e-6)
    assert found.peak == pytest.approx(math.sqrt(0.95 / 0.002))
    assert found.worst_misfit < 1e-9


def test_throughput_that_grows_for_ever_has_no_peak():
    found = throughput_scaling([1, 2, 4], [10.0, 21.0, 44.0])
    assert (found.contention.estimate, found.crosstalk.estimate) == (0.0, 0.0)
    assert found.peak == math.inf
    assert isinstance(throughput_scaling([1, 2], [1.0, 2.0]), Undefined)
    with pytest.raises(MalformedInput):
        throughput_scaling([1, 2, 0], [1.0, 2.0, 3.0])


def test_interval_of_one_session_is_the_inverse_of_a_least_squares_interval():
    n = np.array([1, 2, 4, 8, 16, 32], dtype=float)
    x = np.array([121.0, 227, 410, 640, 830, 700])
    weight = x / n
    design = np.column_stack([weight, weight * (n - 1), weight * n * (n - 1)])
    fitted = sm.OLS(np.ones(6), design).fit()
    found = throughput_scaling(n, x)
    low, high = fitted.conf_int(0.1)[0]
    assert found.single.confidence_interval(0.9) == pytest.approx((1 / high, 1 / low))
    assert found.single.method == "Student t, inverted"


def test_interval_of_a_ratio_is_where_its_difference_may_be_zero():
    n = np.array([1, 2, 4, 8, 16, 32], dtype=float)
    x = np.array([121.0, 227, 410, 640, 830, 700])
    weight = x / n
    design = np.column_stack([weight, weight * (n - 1), weight * n * (n - 1)])
    fitted = sm.OLS(np.ones(6), design).fit()
    found = throughput_scaling(n, x)
    for which, part in ((1, found.contention), (2, found.crosstalk)):
        assert part.method == "Fieller"
        for end in part.confidence_interval(0.9):
            contrast = np.zeros(3)
            contrast[which], contrast[0] = 1.0, -end
            assert fitted.t_test(contrast).pvalue == pytest.approx(0.1, abs=1e-6)


def test_throughputs_that_leave_nothing_to_judge_by_have_no_interval():
    found = throughput_scaling([1, 2, 4], [100, 190, 330])
    assert found.contention.confidence_interval() == (0.0, math.inf)
    assert found.contention.method == "none: 3 measured throughputs, 4 are needed for an interval"
    wild = throughput_scaling([1, 2, 4, 8, 16], [100, 500, 90, 900, 200])
    assert wild.single.method.startswith("none: throughputs lie ")
