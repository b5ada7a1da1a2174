"""Shares of successes against independent implementations."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from metrics import MalformedInput, ParameterError, Proportion, Undefined, proportion, success_rate

OTHERS = {"Clopper-Pearson": "beta", "Wilson score": "wilson", "Jeffreys": "jeffreys"}


@given(
    n=st.integers(1, 400),
    data=st.data(),
    level=st.floats(0.5, 0.999),
    method=st.sampled_from(["Clopper-Pearson", "Wilson score"]),
)
def test_intervals_match_statsmodels(n, data, level, method):
    successes = data.draw(st.integers(0, n))
    found = proportion(successes, n, method=method)
    low, high = proportion_confint(successes, n, alpha=1 - level, method=OTHERS[method])
    interval = found.confidence_interval(level)
    assert interval.low == pytest.approx(max(0.0, low), abs=1e-9)
    assert interval.high == pytest.approx(min(1.0, high), abs=1e-9)
    assert 0 <= interval.low <= found.estimate <= interval.high <= 1


def test_jeffreys_matches_statsmodels_away_from_the_ends():
    found = proportion(7, 31, method="Jeffreys").confidence_interval(0.9)
    assert found == pytest.approx(proportion_confint(7, 31, 0.1, "jeffreys"), abs=1e-12)


def test_jeffreys_reaches_the_end_where_all_trials_agree():
    assert proportion(0, 9, method="Jeffreys").confidence_interval().low == 0.0
    assert proportion(9, 9, method="Jeffreys").confidence_interval().high == 1.0


@pytest.mark.parametrize(("successes", "n"), [(0, 8), (4, 8), (1, 32), (128, 128)])
def test_one_sided_bounds_invert_the_exact_test(successes, n):
    found = proportion(successes, n)
    upper, lower = found.upper_bound(0.95), found.lower_bound(0.95)
    if successes < n:
        assert stats.binom.cdf(successes, n, upper) == pytest.approx(0.05, abs=1e-9)
    if successes > 0:
        assert stats.binom.sf(successes - 1, n, lower) == pytest.approx(0.05, abs=1e-9)
    assert found.confidence_interval(0.9) == pytest.approx((lower, upper))


def test_no_success_in_n_leaves_the_rule_of_one_minus_alpha_to_one_over_n():
    assert proportion(0, 16).upper_bound(0.95) == pytest.approx(1 - 0.05 ** (1 / 16))


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("share", [0, 0.01, 0.1, 0.5, 0.9, 1])
@pytest.mark.parametrize("n", [4, 8, 16, 32, 128])
def test_default_interval_covers_at_its_level(n, share, level):
    chances = stats.binom.pmf(range(n + 1), n, share)
    covered = sum(
        chance
        for successes, chance in enumerate(chances)
        if (ends := proportion(successes, n).confidence_interval(level)).low <= share <= ends.high
    )
    assert covered >= level


def test_no_trial_is_undefined_and_not_zero():
    assert proportion(0, 0) == Undefined(reason="no trial", n=0)
    assert success_rate([], threshold=1.0) == Undefined(reason="no episode was scored", n=0)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: proportion(5, 4), MalformedInput),
        (lambda: proportion(-1, 4), ParameterError),
        (lambda: proportion(1.0, 4), ParameterError),
        (lambda: proportion(True, 4), ParameterError),
        (lambda: proportion(1, 4, method="Wald"), ParameterError),
        (lambda: proportion(1, 4).confidence_interval(1.0), ParameterError),
        (lambda: proportion(1, 4).confidence_interval(95), ParameterError),
        (lambda: success_rate([0.0, math.nan], threshold=1), MalformedInput),
        (lambda: success_rate([0.0, None], threshold=1), MalformedInput),
        (lambda: success_rate([0.0, "1"], threshold=1), MalformedInput),
        (lambda: success_rate([[0.0]], threshold=1), MalformedInput),
        (lambda: success_rate([0.0], threshold=math.nan), ParameterError),
    ],
)
def test_malformed_input_is_a_typed_error(call, error):
    with pytest.raises(error):
        call()


def test_success_is_a_score_at_or_above_the_threshold():
    found = success_rate([0.0, 0.5, 1.0, 2.0], threshold=1.0)
    assert found == Proportion(successes=2, n=4)
