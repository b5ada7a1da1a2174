"""Range and shape of rewards."""

import pytest

from metrics import MalformedInput, Undefined, reward_shape


@pytest.mark.parametrize(
    ("values", "shape", "distinct"),
    [
        ([0.5, 0.5], "constant", 1),
        ([0, 1, 0], "binary", 2),
        ([True, False], "binary", 2),
        ([-1, 0, 1], "discrete", 3),
        ([0.0, 0.5, 1.0, 0.0, 0.5, 1.0], "discrete", 3),
        ([0.1, 0.25, 0.7, 0.9], "continuous", 4),
    ],
)
def test_shape(values, shape, distinct):
    found = reward_shape(values)
    assert (found.shape, found.distinct, found.timing) == (shape, distinct, None)
    assert (found.low, found.high, found.n) == (min(values), max(values), len(values))


@pytest.mark.parametrize(
    ("values", "lengths", "timing"),
    [
        ([0, 0, 1, 0, 0, 0], [3, 3], "terminal"),
        ([0, 1, 0, 0, 0, 0], [3, 3], "sparse"),
        ([1, 1, 0, 0.5], [2, 2], "dense"),
        ([0, 0, 0], [1, 2], "none"),
        ([1, 0, 1], [1, 1, 1], "single-step"),
        ([0, 1], [0, 2, 0], "terminal"),
    ],
)
def test_timing(values, lengths, timing):
    assert reward_shape(values, lengths).timing == timing


def test_share_of_zeros_counts_zeros_only():
    found = reward_shape([0.0, -0.0, 1e-12, 2.0]).zeros
    assert (found.successes, found.n) == (2, 4)


def test_no_reward_is_undefined():
    assert reward_shape([]) == Undefined(reason="no reward was paid", n=0)
    assert reward_shape([], [0, 0]) == Undefined(reason="no reward was paid", n=0)


@pytest.mark.parametrize("lengths", [[1, 1], [4], [-1, 4], [1.5, 1.5]])
def test_lengths_must_add_up(lengths):
    with pytest.raises(MalformedInput):
        reward_shape([0, 1, 2], lengths)
