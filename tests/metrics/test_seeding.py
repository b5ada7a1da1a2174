"""Verdicts on seed control."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import MalformedInput, Undefined, seed_control
from metrics.seeding import _by_chance


@pytest.mark.parametrize(
    ("labels", "verdict", "offending"),
    [
        ({"0": [1, 1], "1": [2, 2], "7": [3, 3]}, "honoured", ()),
        ({"0": [1, 1], "1": [1, 1], "7": [2]}, "honoured", ()),
        ({"0": [1, 1], "1": [1, 1], "7": [1, 1]}, "inert", ()),
        ({"0": [1, 2], "1": [3, 3], "7": [4, 4]}, "partly", ("0",)),
        ({"0": [1, 2], "1": [3, 3]}, "partly", ("0",)),
        ({"0": [1, 2], "1": [3, 4], "7": [5, 6]}, "ignored", ("0", "1", "7")),
        ({"0": [1, 2], "1": [1, 1], "7": [2, 2]}, "ignored", ("0",)),
        ({"0": [1, 2, 1], "1": [2, 1, 2], "7": [1, 1, 2]}, "ignored", ("0", "1", "7")),
        ({"0": [1, 2, 3], "1": [4, 4, 4], "2": [5, 5, 5], "3": [6, 6, 6]}, "partly", ("0",)),
    ],
)
def test_verdict(labels, verdict, offending):
    found = seed_control(labels)
    assert (found.verdict, found.offending) == (verdict, offending)


def test_pairs_are_counted_within_and_between_starts():
    found = seed_control({"0": [1, 2], "1": [3, 3], "7": [3, 4]})
    assert (found.within.agreeing, found.within.n) == (1, 3)
    assert (found.between.agreeing, found.between.n) == (2, 12)
    assert found.within.estimate == pytest.approx(1 / 3)


def test_interval_counts_only_independent_pairs():
    many = seed_control({"0": [1] * 10, "1": [2] * 10})
    assert many.within.n == 90
    low, high = many.within.confidence_interval(0.95)
    assert high == 1.0
    assert low == pytest.approx(0.025 ** (1 / 10))


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ({}, "0 starts were played, two are needed"),
        ({"0": [1, 1], "1": []}, "1 starts were played, two are needed"),
        ({"0": [1], "1": [2]}, "no start was played twice"),
    ],
)
def test_too_little_is_undefined(labels, reason):
    found = seed_control(labels)
    assert isinstance(found, Undefined)
    assert found.reason == reason


def test_labels_must_be_whole_numbers():
    with pytest.raises(MalformedInput, match="labels of a"):
        seed_control({"a": [0.5, 1], "b": [1, 1]})


def test_numpy_labels_are_labels():
    assert seed_control({"a": np.array([1, 1]), "b": np.array([2, 2])}).verdict == "honoured"


@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=3), min_size=2, max_size=3))
def test_chance_moments_match_all_rearrangements(groups):
    starts = {str(at): group for at, group in enumerate(groups)}
    everything = [label for group in groups for label in group]
    if len(everything) > 6 or all(len(group) < 2 for group in groups):
        return
    counts = []
    for order in itertools.permutations(everything):
        rest = iter(order)
        dealt = [[next(rest) for _ in group] for group in groups]
        counts.append(sum(a == b for group in dealt for a, b in itertools.combinations(group, 2)))
    mean, error = _by_chance(starts)
    assert mean == pytest.approx(np.mean(counts))
    assert error == pytest.approx(np.std(counts), abs=1e-9)
