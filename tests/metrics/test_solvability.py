"""pass@k, reachability and the floor."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import (
    MalformedInput,
    ParameterError,
    Undefined,
    floor,
    headroom,
    mean_score,
    pass_all_k,
    pass_at_k,
    proportion,
    reachability,
)


@given(st.integers(1, 9), st.data())
def test_pass_at_k_counts_all_draws(n, data):
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    attempts = [True] * c + [False] * (n - c)
    draws = list(itertools.combinations(attempts, k))
    found = pass_at_k([c], [n], k)
    assert found.estimate == pytest.approx(sum(map(any, draws)) / len(draws), abs=1e-12)


def test_pass_at_k_matches_the_published_estimator():
    def published(n, c, k):  # Chen et al. 2021, figure 3
        return 1.0 if n - c < k else 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))

    c, n = np.array([0, 1, 17, 100, 199, 200]), np.full(6, 200)
    for k in (1, 10, 100):
        expected = [published(int(total), int(good), k) for total, good in zip(n, c, strict=True)]
        assert pass_at_k(c, n, k).per_task == pytest.approx(expected, abs=1e-9)


def test_tasks_with_fewer_attempts_than_k_are_left_out():
    found = pass_at_k([1, 2, 0], [2, 8, 8], 4)
    assert (found.n, found.left_out) == (2, 1)
    assert found.estimate == pytest.approx((1 - math.comb(6, 4) / math.comb(8, 4)) / 2)


def test_one_task_has_the_interval_of_its_success_rate_carried_over():
    found = pass_at_k([3], [10], 4)
    low, high = proportion(3, 10).confidence_interval(0.95)
    expected = (1 - (1 - low) ** 4, 1 - (1 - high) ** 4)
    assert found.confidence_interval(0.95) == pytest.approx(expected)


def test_interval_over_tasks():
    found = pass_at_k([0] * 20, [8] * 20, 4)
    assert found.confidence_interval(0.95) == (0.0, pytest.approx(1 - 0.025 ** (1 / 20)))


def test_no_task_with_k_attempts_is_undefined():
    assert pass_at_k([1, 1], [2, 3], 4) == Undefined(reason="no task has 4 scored attempts", n=2)
    assert pass_at_k([], [], 1) == Undefined(reason="no task", n=0)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([2], [1], 1), MalformedInput),
        (([1, 1], [1], 1), MalformedInput),
        (([-1], [1], 1), MalformedInput),
        (([0.5], [1], 1), MalformedInput),
        (([1], [1], 0), ParameterError),
    ],
)
def test_bad_counts_are_typed_errors(arguments, error):
    with pytest.raises(error):
        pass_at_k(*arguments)


def test_reachability_bounds_what_was_never_seen():
    assert reachability(0, 8).upper_bound(0.95) == pytest.approx(0.3123, abs=1e-4)
    assert reachability(1, 400).lower_bound(0.95) > 0
    assert reachability(0, 0) == Undefined(reason="no episode was scored", n=0)


def test_floor_is_the_best_mean():
    found = floor({"noop": [0.0] * 10, "random": [0, 1, 0, 0], "idle": []}, bounds=(0, 1))
    assert (found.best, found.estimate, found.n) == ("random", 0.25, 14)
    assert set(found.means) == {"noop", "random"}


def test_low_end_of_the_floor_pays_for_the_choice_and_the_high_end_does_not():
    scores = {"a": [0, 1] * 8, "b": [0, 0, 0, 1] * 4}
    found = floor(scores, bounds=(0, 1)).confidence_interval(0.9)
    alone = proportion(8, 16)
    assert found.low == pytest.approx(alone.confidence_interval(0.95).low)
    assert found.high == pytest.approx(alone.confidence_interval(0.9).high)


def test_a_constant_probe_without_bounds_leaves_the_high_end_open():
    found = floor({"noop": [0.0] * 10, "random": [0.0, 1.0] * 10})
    low, high = found.confidence_interval(0.95)
    assert 0 < low < 0.5
    assert high == math.inf
    assert found.method.startswith("none")


def test_no_score_is_no_floor():
    assert floor({"noop": []}) == Undefined(
        reason="no episode of a task-blind probe was scored", n=0
    )
    with pytest.raises(MalformedInput, match="scores of noop"):
        floor({"noop": [2.0]}, bounds=(0, 1))


@given(st.integers(1, 9), st.data())
def test_pass_all_k_counts_all_draws(n, data):
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    draws = list(itertools.combinations([True] * c + [False] * (n - c), k))
    found = pass_all_k([c], [n], k)
    assert found.estimate == pytest.approx(sum(map(all, draws)) / len(draws), abs=1e-12)
    low, high = found.confidence_interval()
    rate = proportion(c, n).confidence_interval()
    assert (low, high) == pytest.approx((rate.low**k, rate.high**k), abs=1e-9)


def test_pass_all_k_refuses_what_pass_at_k_does():
    with pytest.raises(MalformedInput):
        pass_all_k([3], [2], 1)
    with pytest.raises(MalformedInput):
        pass_all_k([1, 1], [2], 1)
    assert isinstance(pass_all_k([1], [2], 3), Undefined)


def test_headroom_is_what_is_left_of_what_there_is():
    strong = mean_score([0.0, 1.0] * 30, bounds=(0, 1))
    ground = mean_score([0.0] * 54 + [1.0] * 6, bounds=(0, 1))
    found = headroom(strong, ground, ceiling=1.0)
    assert found.estimate == pytest.approx(0.5 / 0.9)
    one, other = strong.confidence_interval(0.975), ground.confidence_interval(0.975)
    low, high = found.confidence_interval(0.95)
    assert low == pytest.approx((1 - one.high) / (1 - other.low))
    assert high == pytest.approx((1 - one.low) / (1 - other.high))


def test_headroom_with_an_open_floor_is_open():
    strong = mean_score([0.0, 1.0] * 30, bounds=(0, 1))
    loose = mean_score([0.0] * 10)
    assert headroom(strong, loose, ceiling=1.0).confidence_interval() == (0.0, math.inf)
    assert isinstance(headroom(strong, strong, ceiling=0.5), Undefined)
    with pytest.raises(ParameterError):
        headroom(strong, strong, ceiling=math.inf)
