"""Differences of two samples."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics import (
    MalformedInput,
    ParameterError,
    Undefined,
    fisher_exact,
    mcnemar,
    paired_difference,
    paired_permutation,
    proportion,
    proportion_difference,
    rank_sum,
)

SMALL = st.lists(st.integers(0, 4), min_size=1, max_size=6)


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_fisher_matches_scipy(n, m, data):
    a, b = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    expected = stats.fisher_exact([[a, n - a], [b, m - b]], alternative="greater").pvalue
    assert fisher_exact(a, n, b, m).p_value == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_matches_scipy(b, c):
    found = mcnemar(b, c)
    if b + c == 0:
        assert isinstance(found, Undefined)
    else:
        assert found.p_value == pytest.approx(stats.binomtest(b, b + c).pvalue, abs=1e-9)


def test_difference_recovers_the_distances_to_the_ends():
    found = proportion_difference(56, 70, 48, 80)
    one, other = proportion(56, 70), proportion(48, 80)
    (l1, u1), (l2, u2) = one.confidence_interval(), other.confidence_interval()
    assert found.estimate == pytest.approx(0.2)
    low = 0.2 - math.sqrt((0.8 - l1) ** 2 + (u2 - 0.6) ** 2)
    high = 0.2 + math.sqrt((u1 - 0.8) ** 2 + (0.6 - l2) ** 2)
    assert found.confidence_interval() == pytest.approx((low, high))
    # Newcombe 1998, table II, example (a), from Wilson's intervals: wider here
    assert low < 0.0524
    assert high > 0.3339
    assert isinstance(proportion_difference(0, 0, 1, 2), Undefined)


@given(SMALL, SMALL)
def test_exact_rank_sum_counts_all_ways_of_dealing(one, other):
    def rank_total(chosen):
        rest = list(pooled)
        for value in chosen:
            rest.remove(value)
        return sum((a > b) + 0.5 * (a == b) for a in chosen for b in rest)

    pooled = one + other
    seen = rank_total(one)
    ways = [
        rank_total([pooled[i] for i in chosen])
        for chosen in itertools.combinations(range(len(pooled)), len(one))
    ]
    expected = np.mean([way >= seen - 1e-9 for way in ways])
    assert rank_sum(one, other).p_value == pytest.approx(expected)


def test_large_rank_sum_matches_scipy():
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 6, 60) + 1.0, rng.integers(0, 6, 50)
    expected = stats.mannwhitneyu(one, other, alternative="greater", method="asymptotic").pvalue
    assert rank_sum(one, other).p_value == pytest.approx(expected, abs=1e-9)
    exact = rank_sum(one[:15], other[:15])
    assert exact.method.endswith("exact")


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9))
def test_all_changes_of_sign_are_tried(differences):
    rng = np.random.default_rng(0)
    found = paired_permutation(differences, [0] * len(differences), rng=rng)
    if not any(differences):
        assert isinstance(found, Undefined)
        return
    signs = itertools.product([1, -1], repeat=len(differences))
    sums = [abs(sum(s * d for s, d in zip(sign, differences, strict=True))) for sign in signs]
    assert found.p_value == pytest.approx(np.mean([s >= abs(sum(differences)) for s in sums]))


def test_random_changes_of_sign_agree_with_scipy():
    rng = np.random.default_rng(1)
    one, other = rng.normal(0.3, 1, 40), rng.normal(0, 1, 40)
    for mine, theirs in [("two-sided", "two-sided"), ("greater", "greater")]:
        found = paired_permutation(one, other, rng=np.random.default_rng(2), alternative=mine)
        expected = stats.permutation_test(
            (one, other), lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples", n_resamples=20_000, alternative=theirs,
            rng=np.random.default_rng(3),
        ).pvalue  # fmt: skip
        assert found.p_value == pytest.approx(expected, abs=0.015)


def test_paired_difference_lives_on_twice_the_range():
    found = paired_difference([1.0] * 10, [0.0] * 10, bounds=(0, 1))
    assert found.estimate == 1.0
    assert found.confidence_interval() == (pytest.approx(2 * 0.025**0.1 - 1), 1.0)
    assert isinstance(paired_difference([], []), Undefined)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: paired_difference([1], [1, 2]), MalformedInput),
        (lambda: paired_difference([2], [1], bounds=(0, 1)), MalformedInput),
        (lambda: fisher_exact(3, 2, 1, 1), MalformedInput),
        (lambda: mcnemar(-1, 2), ParameterError),
        (lambda: rank_sum([math.nan], [1]), MalformedInput),
        (
            lambda: paired_permutation([1], [0], rng=np.random.default_rng(0), alternative="less"),
            ParameterError,
        ),
    ],
)
def test_bad_input_is_a_typed_error(call, error):
    with pytest.raises(error):
        call()


def test_nothing_to_compare_is_undefined():
    assert rank_sum([], [1]) == Undefined(reason="no score on one side", n=1)
    assert isinstance(rank_sum([1.0] * 30, [1.0] * 30), Undefined)
    assert rank_sum([1.0] * 5, [1.0] * 5).p_value == 1.0
