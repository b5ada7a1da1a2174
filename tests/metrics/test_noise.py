"""How much of a score is noise."""

import itertools
import math

import numpy as np
import pytest

from metrics import (
    MalformedInput,
    ParameterError,
    Undefined,
    learnable_share,
    mean_score,
    noise_floor,
    repeats_needed,
    signal_to_noise,
)


def test_noise_floor_is_the_error_of_a_rerun():
    rng = np.random.default_rng(2)
    tasks = np.repeat(np.arange(10), 6)
    sd = np.linspace(0.5, 2, 10)
    reruns = [(rng.normal(size=60) * sd[tasks]).mean() for _ in range(4000)]
    floors = [noise_floor(rng.normal(size=60) * sd[tasks], tasks) for _ in range(400)]
    squares = [floor.estimate**2 for floor in floors]
    assert math.sqrt(np.mean(squares)) == pytest.approx(np.std(reruns), rel=0.05)
    assert isinstance(noise_floor([1, 2, 3], ["a", "a", "b"]), Undefined)
    assert isinstance(noise_floor([], []), Undefined)


def test_interval_of_the_noise_floor_is_that_of_the_squared_errors():
    rng = np.random.default_rng(0)
    scores, tasks = rng.random(60), np.repeat(np.arange(12), 5)
    squares = [scores[tasks == t].var(ddof=1) / 5 for t in range(12)]
    found = noise_floor(scores, tasks)
    expected = [math.sqrt(end / 12) for end in mean_score(squares).confidence_interval(0.9)]
    assert found.confidence_interval(0.9) == pytest.approx(expected)
    # five values in [0, 1] have a variance of 0.3 at most: two at one end, three at the other
    bounded = noise_floor(scores, tasks, bounds=(0, 1))
    most = mean_score(squares, bounds=(0, 0.3 / 5)).confidence_interval(0.9)
    assert bounded.confidence_interval(0.9) == pytest.approx([math.sqrt(end / 12) for end in most])
    assert (bounded.n, bounded.method) == (12, "Gaffke, over tasks")


def test_noise_floor_of_few_tasks_has_no_interval_without_a_range():
    found = noise_floor([0, 2, 4, 6], ["a", "a", "b", "b"])
    assert found.estimate == pytest.approx(math.sqrt(2) / 2)
    assert found.confidence_interval() == (0.0, math.inf)
    assert found.method == "none: 2 values, 8 are needed where the range is not known"
    clean = noise_floor([1.0] * 20, ["a"] * 20, bounds=(0, 1))
    assert clean.estimate == 0
    low, high = clean.confidence_interval()
    assert low == 0
    assert 0.05 < high < 0.12  # never zero: 20 equal scores bound a variance, they prove none
    with pytest.raises(ParameterError):
        noise_floor([0, 2], ["a", "a"], bounds=(0, math.inf))
    with pytest.raises(MalformedInput):
        noise_floor([0, 2], ["a", "a"], bounds=(0, 1))


def tier(mean):
    return mean_score([mean - 0.01, mean + 0.01] * 8, bounds=(-1, 2))


def test_signal_to_noise_is_the_spread_over_the_noise():
    noise = noise_floor([0.0, 0.1] * 40, np.repeat(np.arange(10), 8), bounds=(0, 0.1))
    found = signal_to_noise([tier(0.0), tier(0.5), tier(1.0)], noise)
    assert found.estimate == pytest.approx(0.5 / noise.estimate)
    assert found.n == 3
    assert isinstance(signal_to_noise([tier(0.5)], noise), Undefined)
    silent = noise_floor([0.0] * 9, ["a"] * 9)
    assert isinstance(signal_to_noise([tier(0.0), tier(1.0)], silent), Undefined)
    with pytest.raises(ParameterError):
        signal_to_noise([0.0, 1.0], noise)


def test_interval_of_signal_to_noise_holds_every_ratio_in_the_box():
    rng = np.random.default_rng(3)
    noise = noise_floor(rng.random(80), np.repeat(np.arange(10), 8), bounds=(0, 1))
    tiers = [mean_score(rng.beta(a, 3, 30), bounds=(0, 1)) for a in (1, 3, 9)]
    low, high = signal_to_noise(tiers, noise).confidence_interval(0.9)
    ends = np.array([one.confidence_interval(0.975) for one in tiers])
    corners = np.array(list(itertools.product(*ends))).std(axis=1, ddof=1)
    inside = (ends[:, 0] + rng.random((4000, 3)) * np.ptp(ends, axis=1)).std(axis=1, ddof=1)
    least, most = noise.confidence_interval(0.975)
    assert low <= min(inside.min(), corners.min()) / most <= low * 1.2
    assert corners.max() / least <= high <= corners.max() / least * 1.05


def test_signal_to_noise_without_an_interval_of_a_part_has_none():
    noise = noise_floor([0, 2, 4, 6], ["a", "a", "b", "b"])
    found = signal_to_noise([tier(0.0), tier(1.0)], noise)
    assert found.confidence_interval() == (0.0, math.inf)
    assert found.method.startswith("none: 2 values")


def test_repeats_needed_gives_the_wanted_error_and_no_more():
    for within, tasks, error, between in [
        (0.25, 10, 0.05, 0),
        (0.2, 30, 0.02, 0.005),
        (0, 3, 1, 0),
    ]:
        n = repeats_needed(within, tasks=tasks, standard_error=error, between=between)
        assert between / tasks + within / tasks / n <= error**2 * (1 + 1e-9)
        if n > 1:
            assert between / tasks + within / tasks / (n - 1) > error**2
    assert repeats_needed(0.25, tasks=4, standard_error=0.1, between=0.04) == Undefined(
        reason="tasks differ too much: 5 tasks would be the least", n=4
    )
    with pytest.raises(ParameterError):
        repeats_needed(-1, tasks=4, standard_error=0.1)


def test_learnable_share_tells_noise_of_the_verifier_from_signal():
    rng = np.random.default_rng(0)
    tasks, trajectory = np.repeat(range(40), 30), np.tile(np.repeat(range(10), 3), 40)
    true = rng.normal(size=400)[tasks * 10 + trajectory]
    noise = rng.normal(size=1200)
    half = learnable_share(true + noise + tasks, tasks, trajectory)
    assert half.estimate == pytest.approx(0.5, abs=0.05)
    low, high = half.confidence_interval()
    assert low < 0.5 < high
    assert high - low < 0.15
    none = learnable_share(noise + tasks, tasks, trajectory)
    assert none.estimate == pytest.approx(0.0, abs=0.05)
    assert isinstance(learnable_share(true, tasks, trajectory), Undefined)


@pytest.mark.parametrize("spoiled", ["within", "between", "standard_error"])
def test_repeats_needed_takes_no_infinite_variance(spoiled):
    told = {"within": 0.2, "between": 0.0, "standard_error": 0.1} | {spoiled: math.inf}
    with pytest.raises(ParameterError):
        repeats_needed(told.pop("within"), tasks=4, **told)
