"""Attackers, floor and truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics import (
    MalformedInput,
    ParameterError,
    Undefined,
    adversarial_floor,
    rank_correlation,
    score_auc,
    top_scored_failures,
)


def test_gap_of_the_best_attacker_over_the_floor():
    found = adversarial_floor(
        {"echo": [0.0] * 20, "shotgun": [1.0] * 15 + [0.0] * 5},
        {"noop": [0.0] * 40, "random": [0.0] * 36 + [1.0] * 4},
        bounds=(0, 1),
    )
    assert found.estimate == pytest.approx(0.65)
    assert found.surely_above(0.2)
    assert not found.surely_above(0.6)
    assert not found.surely_below(0.6)
    low, high = found.confidence_interval(0.9)
    assert low < 0.65 < high


def test_too_few_attacks_are_neither_above_nor_below():
    found = adversarial_floor({"echo": [0.0] * 3}, {"noop": [0.0] * 3}, bounds=(0, 1))
    assert found.estimate == 0
    assert not found.surely_below(0.1)
    assert isinstance(adversarial_floor({}, {"noop": [0.0]}), Undefined)
    assert isinstance(adversarial_floor({"echo": [0.0]}, {}), Undefined)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=30))
def test_auc_is_the_rank_sum_statistic(rows):
    scores, truth = (np.array(column) for column in zip(*rows, strict=True))
    found = score_auc(scores, truth)
    if truth.all() or not truth.any():
        assert isinstance(found, Undefined)
        return
    u = stats.mannwhitneyu(scores[truth], scores[~truth], method="asymptotic").statistic
    assert found.estimate == pytest.approx(u / (truth.sum() * (~truth).sum()))
    low, high = found.confidence_interval()
    assert 0 <= low <= found.estimate <= high <= 1


def test_rank_correlation_matches_scipy_where_nothing_ties():
    rng = np.random.default_rng(0)
    x = rng.normal(size=700)
    y = x + rng.normal(size=700)
    found = rank_correlation(x, y)
    assert found.estimate == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-9)
    low, high = found.confidence_interval()
    assert low < 0.5 < high


def test_ties_count_as_neither():
    assert rank_correlation([0, 0, 1, 1], [0, 1, 0, 1]).estimate == pytest.approx(0.0)
    assert rank_correlation([0, 0, 1, 1], [0, 0, 1, 1]).estimate == pytest.approx(4 / 6)
    assert isinstance(rank_correlation([1, 1, 1], [0, 1, 0]), Undefined)
    with pytest.raises(MalformedInput):
        rank_correlation([1, 2], [1])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=40))
def test_tau_b_matches_scipy_ties_and_all(rows):
    x, y = (np.array(column) for column in zip(*rows, strict=True))
    found = rank_correlation(x, y, variant="b")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert isinstance(found, Undefined)
        return
    assert found.estimate == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-9)
    low, high = found.confidence_interval()
    assert -1 <= low <= found.estimate <= high <= 1


def test_tau_b_reaches_one_where_tau_a_cannot():
    scores, truth = np.repeat([0.0, 1.0], 300), np.repeat([False, True], 300)
    assert rank_correlation(scores, truth).estimate == pytest.approx(0.5, abs=0.01)
    found = rank_correlation(scores, truth, variant="b")
    assert found.estimate == pytest.approx(1.0)
    assert found.n == 600
    assert 0.5 < found.confidence_interval().low < 1.0
    with pytest.raises(ParameterError):
        rank_correlation(scores, truth, variant="c")


def test_best_paid_failures_come_first():
    scores, truth = [0.2, 0.9, 1.0, 0.9, 0.5], [False, False, True, False, True]
    assert top_scored_failures(scores, truth) == [1, 3, 0]
    assert top_scored_failures(scores, truth, most=1) == [1]
    with pytest.raises(MalformedInput):
        top_scored_failures(scores, [0, 0, 1, 0, 1])
