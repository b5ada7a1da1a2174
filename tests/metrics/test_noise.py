"""How much of a score is noise."""

import math

import numpy as np
import pytest

from metrics import (
    ParameterError,
    Undefined,
    learnable_share,
    noise_floor,
    repeats_needed,
    signal_to_noise,
)


def test_noise_floor_is_the_error_of_a_rerun():
    rng = np.random.default_rng(2)
    tasks = np.repeat(np.arange(10), 6)
    sd = np.linspace(0.5, 2, 10)
    reruns = [(rng.normal(size=60) * sd[tasks]).mean() for _ in range(4000)]
    floors = [noise_floor(rng.normal(size=60) * sd[tasks], tasks) ** 2 for _ in range(400)]
    assert math.sqrt(np.mean(floors)) == pytest.approx(np.std(reruns), rel=0.05)
    assert isinstance(noise_floor([1, 2, 3], ["a", "a", "b"]), Undefined)
    assert isinstance(noise_floor([], []), Undefined)


def test_signal_to_noise():
    assert signal_to_noise([0.0, 0.5, 1.0], 0.25) == pytest.approx(2.0)
    assert isinstance(signal_to_noise([0.0], 0.25), Undefined)
    assert isinstance(signal_to_noise([0.0, 1.0], 0.0), Undefined)
    with pytest.raises(ParameterError):
        signal_to_noise([0.0, 1.0], float("nan"))


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
