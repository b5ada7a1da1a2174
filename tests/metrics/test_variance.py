"""Variance between and within tasks."""

import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.anova import anova_lm

from metrics import (
    MalformedInput,
    ParameterError,
    Undefined,
    nested_components,
    spread,
)

# Shrout and Fleiss 1979, table 2: six targets, four judges; ICC(1,1) = .17
TARGETS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_published_example():
    scores = np.ravel(TARGETS)
    found = spread(scores, np.repeat(range(6), 4))
    assert found.icc.estimate == pytest.approx(0.1657, abs=5e-5)
    assert found.within.estimate == pytest.approx(6.264, abs=5e-4)
    assert found.between.estimate == pytest.approx((11.242 - 6.264) / 4, abs=5e-4)


def test_mean_squares_are_those_of_statsmodels():
    rng = np.random.default_rng(5)
    tasks = rng.integers(0, 15, 120)
    scores = rng.normal(size=120) + tasks
    table = anova_lm(
        smf.ols("score ~ C(task)", pd.DataFrame({"score": scores, "task": tasks})).fit()
    )
    squares = table["mean_sq"].to_numpy()
    found = spread(scores, tasks)
    assert found.between.squares.values == pytest.approx(squares, rel=1e-9)
    sizes = np.bincount(tasks)
    n0 = (120 - np.sum(sizes**2) / 120) / 14
    between = (squares[0] - squares[1]) / n0
    assert found.between.estimate == pytest.approx(between, rel=1e-9)
    assert found.icc.estimate == pytest.approx(between / (between + squares[1]), rel=1e-9)


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


def test_mean_squares_without_a_task_are_those_of_the_other_tasks():
    rng = np.random.default_rng(0)
    tasks = rng.integers(0, 12, 100)
    seeds = rng.integers(0, 4, 100)
    scores = rng.normal(size=100) + tasks
    levels = {"task": tasks, "seed": seeds}
    found = nested_components(scores, levels).components["task"].squares
    for task in range(12):
        rest = tasks != task
        other = nested_components(scores[rest], {"task": tasks[rest], "seed": seeds[rest]})
        expected = other.components["task"].squares.values
        assert found.without_task[task] == pytest.approx(expected)


def test_interval_of_the_correlation_is_a_jackknife_of_the_log_ratio():
    rng = np.random.default_rng(1)
    tasks = np.repeat(np.arange(24), 5)
    scores = rng.normal(size=120) + rng.normal(size=24)[tasks]

    def log_ratio(kept):
        kept = np.isin(tasks, kept)
        groups = [scores[kept & (tasks == t)] for t in np.unique(tasks[kept])]
        return math.log(stats.f_oneway(*groups).statistic)

    whole = log_ratio(np.arange(24))
    pseudo = [24 * whole - 23 * log_ratio(np.delete(np.arange(24), t)) for t in range(24)]
    ends = stats.t.interval(0.9, 23, whole, stats.sem(pseudo))
    expected = [max(0, (math.exp(end) - 1) / (math.exp(end) + 4)) for end in ends]
    assert spread(scores, tasks).icc.confidence_interval(0.9) == pytest.approx(expected)


def test_few_or_skewed_tasks_have_no_interval_but_the_whole_range():
    found = spread(np.ravel(TARGETS), np.repeat(range(6), 4))
    assert found.icc.confidence_interval() == (0.0, 1.0)
    assert found.between.confidence_interval() == (0.0, math.inf)
    assert found.icc.method == "none: 6 tasks, 20 are needed for an interval"
    one_far_off = np.tile([0.0, 1.0], 30) + np.repeat([50.0] + [0.0] * 29, 2)
    found = spread(one_far_off, np.repeat(range(30), 2))
    assert found.between.method.startswith("none: the tasks' means are too skewed")


def test_nested_components_match_the_expectations_they_are_set_equal_to():
    # unbalanced, two levels: a direct solution of Searle et al. 1992, appendix F
    task = np.array([0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2])
    seed = np.array([0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1])
    scores = np.array([3.0, 5, 4, 8, 1, 9, 7, 2, 6, 5, 3, 0])
    cell = task * 2 + seed
    n, sizes_t, sizes_c = 12, np.bincount(task), np.bincount(cell)
    means_t = np.bincount(task, scores) / sizes_t
    means_c = np.bincount(cell, scores) / sizes_c
    ss = [
        np.sum(sizes_t * (means_t - scores.mean()) ** 2),
        np.sum((means_c[cell] - means_t[task]) ** 2),
        np.sum((scores - means_c[cell]) ** 2),
    ]
    seeds_of = [sizes_c[[0, 1]], sizes_c[[2, 3]], sizes_c[[4, 5]]]
    k1 = sum(np.sum(part**2) / np.sum(part) for part in seeds_of)
    k2, k3 = np.sum(sizes_c**2) / n, np.sum(sizes_t**2) / n
    repeat = ss[2] / (n - 6)
    seed_part = (ss[1] - 3 * repeat) / (n - k1)
    task_part = (ss[0] - 2 * repeat - (k1 - k2) * seed_part) / (n - k3)
    found = nested_components(scores, {"task": task, "seed": seed}).components
    values = {name: one.estimate for name, one in found.items()}
    expected = {"task": task_part, "seed": seed_part, "repeat": repeat}
    assert values == pytest.approx(expected, abs=1e-9)


def test_nested_components_are_unbiased():
    rng = np.random.default_rng(4)
    task = np.repeat(np.arange(400), 8)
    tier = np.tile(np.repeat(np.arange(2), 4), 400)
    seed = np.tile(np.repeat(np.arange(2), 2), 800)
    unit = task * 2 + tier
    scores = (
        2 * rng.normal(size=400)[task]
        + rng.normal(size=800)[unit]
        + 0.5 * rng.normal(size=1600)[unit * 2 + seed]
        + 0.25 * rng.normal(size=3200)
    )
    found = nested_components(scores, {"task": task, "tier": tier, "seed": seed}).components
    assert [one.estimate for one in found.values()] == pytest.approx([4, 1, 0.25, 0.0625], rel=0.15)
    for name, true in {"task": 4, "tier": 1, "seed": 0.25, "repeat": 0.0625}.items():
        low, high = found[name].confidence_interval(0.99)
        assert low < true < high


@pytest.mark.parametrize(
    ("levels", "reason"),
    [
        ({"task": [0, 0, 0, 0]}, "there is one task only"),
        ({"task": [0, 0, 1, 1], "seed": [0, 0, 0, 0]}, "seed does not vary within task"),
        ({"task": [0, 0, 1, 1], "seed": [0, 1, 0, 1]}, "no seed has two scored episodes"),
    ],
)
def test_levels_that_cannot_be_told_apart(levels, reason):
    assert nested_components([1, 2, 3, 4], levels) == Undefined(reason=reason, n=4)


def test_levels_need_names():
    with pytest.raises(ParameterError):
        nested_components([1, 2], {})
    with pytest.raises(ParameterError):
        nested_components([1, 2], {"repeat": [0, 1]})


def test_equal_scores_within_tasks_leave_the_correlation_undefined():
    found = spread([1, 1, 2, 2], ["a", "a", "b", "b"])
    assert found.within.estimate == 0
    assert found.icc == Undefined(reason="no score differs within a task", n=4)


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
