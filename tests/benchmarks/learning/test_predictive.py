"""Figures of how well a number orders environments."""

import numpy as np
import pytest

from benchmarks.learning.predictive import (
    area_under_curve,
    leave_one_out,
    resampled,
    spearman,
    top_ten_recall,
)


def test_correlation_is_that_of_ranks_and_none_without_a_spread() -> None:
    assert spearman(np.array([1.0, 2, 3]), np.array([1.0, 8, 27])) == pytest.approx(1.0)
    assert spearman(np.array([1.0, 1, 1]), np.array([1.0, 8, 27])) == 0.0


def test_ties_at_the_edge_of_the_ten_best_count_by_chance() -> None:
    reached = np.arange(20.0)
    assert top_ten_recall(reached, reached) == pytest.approx(1.0)
    assert top_ten_recall(-reached, reached) == pytest.approx(0.0)
    assert top_ten_recall(np.zeros(20), reached) == pytest.approx(0.5)


def test_the_area_is_the_chance_of_the_right_order() -> None:
    learned = np.array([1.0, 1, 0, 0])
    assert area_under_curve(np.array([4.0, 2, 3, 1]), learned) == pytest.approx(0.75)
    assert np.isnan(area_under_curve(np.zeros(2), np.ones(2)))


def test_what_has_nothing_to_do_with_it_has_an_interval_about_zero() -> None:
    rng = np.random.default_rng(3)
    found = resampled(spearman, rng.random(80), rng.random(80))
    assert found.low < 0 < found.high
    assert found.high - found.low < 4 * 1.96 / np.sqrt(79)


def test_a_family_is_predicted_by_what_never_saw_it() -> None:
    seen = []

    def fit(kept):
        seen.append(kept.copy())
        return lambda others: np.full(others.sum(), float(kept.sum()))

    found = leave_one_out(["a", "b", "a", "c"], fit)
    assert found.tolist() == [2.0, 3.0, 2.0, 3.0]
    assert [kept.tolist() for kept in seen][0] == [False, True, False, True]
