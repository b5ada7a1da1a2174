"""Variance between and within tasks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import MalformedInput, Undefined, spread

# Shrout and Fleiss 1979, table 2: six targets, four judges; ICC(1,1) = .17
TARGETS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_published_example():
    scores = np.ravel(TARGETS)
    found = spread(scores, np.repeat(range(6), 4))
    assert found.icc.estimate == pytest.approx(0.1657, abs=5e-5)
    assert found.within.estimate == pytest.approx(6.264, abs=5e-4)
    assert found.between.estimate == pytest.approx((11.242 - 6.264) / 4, abs=5e-4)


@given(st.data())
def test_unequal_sizes_match_a_direct_analysis_of_variance(data):
    groups = data.draw(
        st.lists(st.lists(st.integers(-50, 50), min_size=1, max_size=5), min_size=2, max_size=6)
    )
    scores = np.concatenate(groups).astype(float)
    tasks = np.repeat(range(len(groups)), [len(group) for group in groups])
    found = spread(scores, tasks)
    n, t = scores.size, len(groups)
    if n == t or np.ptp(scores) == 0:
        assert isinstance(found, Undefined)
        return
    msw = sum(np.sum((np.array(g) - np.mean(g)) ** 2) for g in groups) / (n - t)
    msb = sum(len(g) * (np.mean(g) - scores.mean()) ** 2 for g in groups) / (t - 1)
    n0 = (n - sum(len(g) ** 2 for g in groups) / n) / (t - 1)
    assert found.within.estimate == pytest.approx(msw, abs=1e-9)
    assert found.between.estimate == pytest.approx((msb - msw) / n0, abs=1e-9)


def test_jackknife_values_are_the_estimates_without_each_task():
    rng = np.random.default_rng(0)
    tasks = rng.integers(0, 12, 100)
    scores = rng.normal(size=100) + tasks
    found = spread(scores, tasks)
    without = [spread(scores[tasks != t], tasks[tasks != t]) for t in range(12)]
    assert found.icc.without_task == pytest.approx([one.icc.estimate for one in without])
    assert found.within.without_task == pytest.approx([one.within.estimate for one in without])


def test_few_tasks_have_no_interval_but_the_whole_range():
    found = spread(np.ravel(TARGETS), np.repeat(range(6), 4))
    assert found.icc.confidence_interval() == (0.0, 1.0)
    assert found.icc.method == "none: fewer than 10 tasks"


@pytest.mark.parametrize(
    ("scores", "tasks", "reason"),
    [
        ([], [], "no episode was scored"),
        ([1, 2], ["a", "a"], "there is one task only"),
        ([1, 2], ["a", "b"], "no task has two scored episodes"),
        ([1, 1, 1], ["a", "a", "b"], "all scores are equal"),
    ],
)
def test_too_little_is_undefined(scores, tasks, reason):
    found = spread(scores, tasks)
    assert isinstance(found, Undefined)
    assert found.reason == reason


def test_missing_scores_are_refused():
    with pytest.raises(MalformedInput):
        spread([1, float("nan")], ["a", "a"])
