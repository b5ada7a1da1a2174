"""Mean scores."""

import math

import numpy as np
import pytest

from metrics import MalformedInput, ParameterError, Undefined, mean_score, proportion

RNG = np.random.default_rng(0)


def test_binary_scores_in_their_range_have_the_exact_interval():
    found = mean_score([0.0, 1.0, 1.0, 0.0, 1.0], bounds=(0, 1), rng=RNG)
    assert found.estimate == pytest.approx(0.6)
    expected = proportion(3, 5).confidence_interval(0.95)
    assert found.confidence_interval(0.95) == pytest.approx(expected)


def test_clusters_are_the_units():
    scores = [0.0] * 50 + [1.0] * 50
    flat = mean_score(scores, bounds=(0, 1), rng=RNG).confidence_interval()
    grouped = mean_score(scores, ["a"] * 50 + ["b"] * 50, bounds=(0, 1), rng=RNG)
    assert grouped.n == 2
    assert flat.high - flat.low < 0.25
    assert grouped.confidence_interval() == pytest.approx(proportion(1, 2).confidence_interval())


def test_clusters_weigh_the_same():
    found = mean_score([0.0, 0.0, 0.0, 1.0], ["a", "a", "a", "b"], rng=RNG)
    assert found.estimate == 0.5


def test_one_cluster_is_a_sample_of_episodes():
    found = mean_score([0.0, 1.0, 1.0], ["a"] * 3, bounds=(0, 1), rng=RNG)
    assert (found.n, found.unit) == (3, "episodes")


def test_constant_scores_claim_no_certainty():
    with_bounds = mean_score([0.0] * 10, bounds=(0, 1), rng=RNG)
    assert with_bounds.confidence_interval(0.95) == (0.0, pytest.approx(1 - 0.025**0.1))
    without = mean_score([0.0] * 10, rng=RNG)
    assert without.confidence_interval(0.95) == (-math.inf, math.inf)
    assert without.method.startswith("none")


def test_no_score_is_undefined():
    assert mean_score([], [], rng=RNG) == Undefined(reason="no episode was scored", n=0)


@pytest.mark.parametrize(
    ("scores", "clusters", "bounds", "error"),
    [
        ([0.0, math.nan], None, None, MalformedInput),
        ([0.0, 2.0], None, (0, 1), MalformedInput),
        ([0.0, 2.0], ["a"], None, MalformedInput),
        ([0.0, 1e300], None, None, MalformedInput),
        ([0.0], None, (1, 0), ParameterError),
        ([0.0], None, (0, math.nan), ParameterError),
        ([0.0], None, 1, ParameterError),
    ],
)
def test_bad_input_is_a_typed_error(scores, clusters, bounds, error):
    with pytest.raises(error):
        mean_score(scores, clusters, bounds=bounds, rng=RNG)
