"""Whether stronger probes score higher."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics import (
    MalformedInput,
    Undefined,
    inversions,
    jonckheere_terpstra,
    page_trend,
    rank_sum,
    superiority,
)
from metrics.ordering import _jonckheere, _jonckheere_moments


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=2, max_size=6))
def test_moments_are_those_of_all_dealings(rows):
    tiers, scores = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    values = [_jonckheere(scores, np.array(dealt)) for dealt in itertools.permutations(tiers)]
    mean, variance = _jonckheere_moments(scores, tiers)
    assert mean == pytest.approx(np.mean(values))
    assert variance == pytest.approx(np.var(values), abs=1e-9)


def test_published_example():
    # Hollander and Wolfe, table 6.6: motivational effect of knowledge of performance; J = 79
    groups = [[40, 35, 38, 43, 44, 41], [38, 40, 47, 44, 40, 42], [48, 40, 45, 43, 46, 44]]
    scores, tiers = np.ravel(groups), np.repeat([0, 1, 2], 6)
    assert _jonckheere(scores.astype(float), tiers.astype(float)) == 79
    twice = jonckheere_terpstra(np.tile(scores, 2), np.tile(tiers, 2), np.repeat([0, 1], 18))
    assert twice.statistic == 158
    z = stats.norm.isf(twice.p_value) / 2**0.5
    assert z == pytest.approx(2.03, abs=0.02)


def test_two_tiers_are_the_rank_sum_test():
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 5, 30), rng.integers(0, 5, 25) + 0.0
    expected = stats.mannwhitneyu(
        other, one, alternative="greater", method="asymptotic", use_continuity=False
    )
    found = jonckheere_terpstra(np.append(one, other), [0] * 30 + [1] * 25)
    assert found.statistic == expected.statistic
    _, variance = _jonckheere_moments(np.append(one, other), np.repeat([0.0, 1.0], [30, 25]))
    z = stats.norm.isf(expected.pvalue) - 0.25 / np.sqrt(variance)
    assert found.p_value == pytest.approx(stats.norm.sf(z), abs=1e-9)


def test_success_and_failure_of_two_tiers_are_the_exact_test():
    scores, tiers = [1] * 9 + [0] * 41 + [1] * 20 + [0] * 30, [0] * 50 + [1] * 50
    exact = stats.fisher_exact([[20, 30], [9, 41]], alternative="greater").pvalue
    assert jonckheere_terpstra(scores, tiers).p_value == pytest.approx(exact, rel=0.1)
    assert rank_sum(scores[50:], scores[:50]).p_value == pytest.approx(exact, rel=0.1)


def test_blocks_compare_within_tasks_only():
    # the strong probe wins on each task by a hair; tasks differ by far more
    scores = [10 * task + tier for task in range(10) for tier in range(3)]
    tiers, tasks = [0, 1, 2] * 10, np.repeat(range(10), 3)
    assert jonckheere_terpstra(scores, tiers, tasks).p_value < 1e-6
    assert jonckheere_terpstra(scores, tiers).p_value > 0.2
    falling = jonckheere_terpstra(scores, [2, 1, 0] * 10, tasks)
    assert falling.p_value > 1 - 1e-6


def test_flat_blocks_do_not_count():
    found = jonckheere_terpstra([0] * 30 + list(range(20)), [0, 1] * 25, [0] * 30 + [1] * 20)
    assert found.n == 20
    assert isinstance(jonckheere_terpstra([0] * 50, [0, 1] * 25), Undefined)
    assert isinstance(jonckheere_terpstra([], []), Undefined)
    with pytest.raises(MalformedInput):
        jonckheere_terpstra([0, 1], [0])


def test_page_matches_scipy():
    table = np.random.default_rng(2).normal(size=(20, 4)) + np.arange(4) * 0.3
    expected = stats.page_trend_test(table, method="asymptotic")
    found = page_trend(table)
    assert found.statistic == expected.statistic
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-9)


def test_page_with_ties_has_the_variance_of_all_dealings():
    row = [1.0, 1.0, 2.0]
    values = [np.dot([1, 2, 3], ranks) for ranks in itertools.permutations([1.5, 1.5, 3])]
    found = page_trend([row] * 12)
    z = (found.statistic - 12 * np.mean(values)) / np.sqrt(12 * np.var(values))
    assert stats.norm.isf(found.p_value) == pytest.approx(z)
    assert isinstance(page_trend([[1, 1, 1]] * 12), Undefined)
    assert isinstance(page_trend([[1, 2, 3]]), Undefined)
    with pytest.raises(MalformedInput):
        page_trend([1, 2, 3])


def test_superiority_averages_over_tasks_played_by_both():
    found = superiority({"a": [2, 3], "b": [0, 1], "c": [1]}, {"a": [1, 1], "b": [0, 1], "d": [1]})
    assert found.per_task.tolist() == [1.0, 0.5]
    assert (found.estimate, found.n, found.left_out) == (0.75, 2, 2)
    one = superiority({"a": [1] * 10}, {"a": [0] * 6})
    assert one.confidence_interval() == (pytest.approx(0.025 ** (1 / 6)), 1.0)
    assert isinstance(superiority({"a": [1]}, {"b": [1]}), Undefined)


def test_inversions_are_named_with_control_over_tasks():
    strong = {f"t{i}": [1.0] * 10 for i in range(10)} | {"bad": [0.0] * 10}
    weak = {task: [0.0] * 10 for task in strong} | {"bad": [1.0] * 10}
    found = inversions(strong, weak)
    assert [one.task for one in found] == ["bad"]
    assert found[0].superiority == 0.0
    assert found[0].p_value == pytest.approx(11 / 184756)
    assert inversions({}, {}) == []
