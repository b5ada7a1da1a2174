"""Live groups and learnability."""

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
    advantage_energy,
    group_reward_entropy,
    learnability,
    live_group_share,
    signal_groups_per_cost,
    signal_groups_per_episode,
    success_failure_pairs,
    zero_signal_fraction,
)
from metrics.bounded import chernoff_interval

SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=8)


@given(SCORES, st.data())
def test_live_share_counts_all_groups_that_could_be_drawn(scores, data):
    size = data.draw(st.integers(2, len(scores)))
    groups = list(itertools.combinations(scores, size))
    live = sum(len(set(group)) > 1 for group in groups) / len(groups)
    found = live_group_share(scores, ["t"] * len(scores), group_size=size)
    assert found.estimate == pytest.approx(live, abs=1e-12)


@given(SCORES)
def test_learnability_counts_all_pairs(scores):
    successes = [score >= 0.5 for score in scores]
    pairs = list(itertools.combinations(successes, 2))
    found = learnability(scores, ["t"] * len(scores), threshold=0.5)
    assert found.estimate == pytest.approx(sum(a != b for a, b in pairs) / len(pairs) / 2)
    graded = learnability(scores, ["t"] * len(scores), score_range=(-1.0, 3.0))
    assert graded.estimate == pytest.approx(np.var(scores, ddof=1) / 16, abs=1e-12)


@pytest.mark.parametrize(("c", "n", "size"), [(2, 8, 4), (1, 16, 8), (30, 60, 8)])
def test_binary_live_share_is_the_closed_form(c, n, size):
    silent = (math.comb(c, size) + math.comb(n - c, size)) / math.comb(n, size)
    found = live_group_share([1] * c + [0] * (n - c), [3] * n, group_size=size)
    assert found.estimate == pytest.approx(1 - silent, abs=1e-12)


def test_tasks_weigh_the_same_and_short_ones_are_left_out():
    scores = [1, 0, 1, 0, 0, 0, 0, 0, 0, 1]
    tasks = ["a"] * 4 + ["b"] * 5 + ["c"]
    found = live_group_share(scores, tasks, group_size=2)
    assert found.per_task == pytest.approx([4 / 6, 0.0])
    assert (found.estimate, found.n, found.left_out) == (pytest.approx(1 / 3), 2, 1)


def test_order_of_episodes_does_not_matter():
    rng = np.random.default_rng(0)
    scores, tasks = rng.integers(0, 3, 200) / 2, rng.integers(0, 9, 200)
    order = rng.permutation(200)
    one = live_group_share(scores, tasks, group_size=4).estimate
    assert one == pytest.approx(
        live_group_share(scores[order], tasks[order], group_size=4).estimate
    )


def test_interval_of_one_task_counts_disjoint_groups():
    found = live_group_share([0.0] * 32, ["t"] * 32, group_size=8)
    assert found.estimate == 0.0
    assert found.confidence_interval(0.95) == (0.0, pytest.approx(1 - 0.025 ** (1 / 4)))
    assert "one task" in found.method


def test_interval_of_one_task_counts_disjoint_pairs_of_what_a_pair_may_be():
    found = learnability([0.0, 1.0] * 8, ["t"] * 16, threshold=1.0)
    low, high = found.confidence_interval(0.95)
    expected = chernoff_interval(found.estimate / 0.5, 8, 0.95)
    assert low == pytest.approx(0.5 * expected.low)
    assert high == pytest.approx(min(0.5 * expected.high, 16 / 60))


def test_interval_over_tasks_is_that_of_a_bounded_mean():
    found = live_group_share([0, 1] * 5, np.repeat(range(5), 2), group_size=2)
    assert found.estimate == 1.0
    assert found.confidence_interval(0.95) == (pytest.approx(0.025 ** (1 / 5)), 1.0)
    flat = learnability([0, 0] * 5, np.repeat(range(5), 2), threshold=1)
    assert flat.confidence_interval(0.95) == (0.0, pytest.approx(0.5 * (1 - 0.025 ** (1 / 5))))


@pytest.mark.parametrize(
    ("scores", "tasks", "reason"),
    [
        ([], [], "no episode was scored"),
        ([0, 1, 1], ["a", "a", "b"], "no task has 3 scored episodes, which a group takes"),
    ],
)
def test_too_little_is_undefined(scores, tasks, reason):
    found = live_group_share(scores, tasks, group_size=3)
    assert isinstance(found, Undefined)
    assert found.reason == reason
    assert isinstance(learnability([0, 1], ["a", "b"], threshold=1), Undefined)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: live_group_share([0, 1], [0], group_size=2), MalformedInput),
        (lambda: live_group_share([0, 1], [0, None], group_size=2), MalformedInput),
        (lambda: live_group_share([0, math.nan], [0, 0], group_size=2), MalformedInput),
        (lambda: live_group_share([0, 1], [0, 0], group_size=1), ParameterError),
        (lambda: live_group_share([0, 1], [0, 0], group_size=2.0), ParameterError),
        (lambda: learnability([0, 1], [0, 0]), ParameterError),
        (lambda: learnability([0, 1], [0, 0], threshold=1, score_range=(0, 1)), ParameterError),
        (lambda: learnability([0, 2], [0, 0], score_range=(0, 1)), MalformedInput),
        (lambda: learnability([0, 1], [0, 0], score_range=(0, math.inf)), ParameterError),
    ],
)
def test_bad_input_is_a_typed_error(call, error):
    with pytest.raises(error):
        call()


@given(st.lists(st.integers(0, 1), min_size=2, max_size=12), st.integers(2, 9))
def test_learnability_stays_inside_its_interval_range(scores, per_task):
    tasks = [at // per_task for at in range(len(scores))]
    found = learnability(scores, tasks, threshold=1)
    if not isinstance(found, Undefined):
        assert np.all(found.per_task <= found.most + 1e-12)
        low, high = found.confidence_interval()
        assert low <= found.estimate <= high


@given(SCORES, st.data())
def test_entropy_counts_all_groups(scores, data):
    size = data.draw(st.integers(2, len(scores)))
    groups = list(itertools.combinations(scores, size))

    def entropy(group):
        shares = np.unique(group, return_counts=True)[1] / size
        return -np.sum(shares * np.log(shares))

    tasks = ["t"] * len(scores)
    found = group_reward_entropy(scores, tasks, group_size=size)
    assert found.estimate == pytest.approx(np.mean([entropy(group) for group in groups]), abs=1e-9)


@given(SCORES, st.data())
def test_energy_and_pairs_are_those_of_groups(scores, data):
    size = data.draw(st.integers(2, len(scores)))
    successes = [float(score >= 0.5) for score in scores]
    groups = [np.array(group) for group in itertools.combinations(successes, size)]
    learned = learnability(scores, ["t"] * len(scores), threshold=0.5)
    advantages = [group - (group.sum() - group) / (size - 1) for group in groups]
    energy = advantage_energy(learned, group_size=size)
    assert energy.estimate == pytest.approx(np.mean(np.square(advantages)), abs=1e-9)
    pairs = success_failure_pairs(learned, group_size=size)
    expected = np.mean([group.sum() * (size - group.sum()) for group in groups])
    assert pairs.estimate == pytest.approx(expected, abs=1e-9)


def test_what_an_episode_and_a_second_buy():
    live = live_group_share([0, 0, 0, 1] * 4, np.repeat(range(4), 4), group_size=2)
    per_episode = signal_groups_per_episode(live, group_size=2)
    per_second = signal_groups_per_cost(live, group_size=2, cost_per_episode=0.1, unit="second")
    assert per_episode.estimate == pytest.approx(0.25)
    assert per_second.estimate == pytest.approx(2.5)
    ends = per_second.confidence_interval(0.9)
    assert ends == pytest.approx([end * 5 for end in live.confidence_interval(0.9)])
    silent = zero_signal_fraction([0, 0, 0, 1] * 4, np.repeat(range(4), 4), group_size=2)
    low, high = live.confidence_interval()
    assert silent.confidence_interval() == pytest.approx((1 - high, 1 - low))
    assert isinstance(
        signal_groups_per_cost(live, group_size=2, cost_per_episode=0, unit="s"), Undefined
    )


def test_too_few_episodes_for_a_group_are_undefined():
    assert isinstance(group_reward_entropy([0, 1], [0, 1], group_size=2), Undefined)
    assert isinstance(zero_signal_fraction([], [], group_size=2), Undefined)
