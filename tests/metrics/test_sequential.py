"""Confidence sequences."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import (
    MalformedInput,
    ParameterError,
    Undefined,
    betting_sequence,
    empirical_bernstein_sequence,
    level_at_looks,
    trials_to_see,
)

BOTH = pytest.mark.parametrize("sequence", [betting_sequence, empirical_bernstein_sequence])


@BOTH
def test_intervals_only_shrink_and_hold_the_mean_they_should(sequence):
    scores = np.random.default_rng(0).beta(2, 6, 400)
    found = sequence(scores, bounds=(0, 1))
    assert np.all(np.diff(found.low) >= 0)
    assert np.all(np.diff(found.high) <= 0)
    assert found.low[-1] < 0.25 < found.high[-1]
    assert found.high[-1] - found.low[-1] < 0.15
    assert found.confidence_interval() == (found.low[-1], found.high[-1])


def test_betting_is_narrower_than_the_closed_form():
    scores = np.random.default_rng(1).beta(2, 6, 300)
    betting = betting_sequence(scores, bounds=(0, 1)).confidence_interval()
    closed = empirical_bernstein_sequence(scores, bounds=(0, 1)).confidence_interval()
    assert betting.high - betting.low < closed.high - closed.low


def test_wealth_is_the_product_of_the_bets():
    scores, level = np.array([0.2, 0.9, 0.4]), 0.9
    stakes = []
    for t in range(1, 4):
        seen = scores[: t - 1]
        means = [(0.5 + seen[: i + 1].sum()) / (i + 2) for i in range(t - 1)]
        spread = (0.25 + sum((x - m) ** 2 for x, m in zip(seen, means, strict=True))) / t
        stakes.append(math.sqrt(2 * math.log(2 / 0.1) / (spread * t * math.log(t + 1))))
    kept = []
    for mean in np.linspace(0, 1, 11):
        up, down = 1.0, 1.0
        rich = False
        for score, stake in zip(scores, stakes, strict=True):
            up *= 1 + min(stake, 0.5 / mean if mean else math.inf) * (score - mean)
            down *= 1 - min(stake, 0.5 / (1 - mean) if mean < 1 else math.inf) * (score - mean)
            rich = rich or max(up, down) >= 2 / (1 - level)
        if not rich:
            kept.append(mean)
    found = betting_sequence(scores, bounds=(0, 1), level=level, grid=10)
    assert found.low[-1] == pytest.approx(max(0, min(kept) - 0.1))
    assert found.high[-1] == pytest.approx(min(1, max(kept) + 0.1))


@BOTH
@given(shift=st.floats(-10, 10), scale=st.floats(0.1, 10))
def test_scale_moves_with_the_bounds(sequence, shift, scale):
    scores = np.random.default_rng(0).random(30)
    one = sequence(scores, bounds=(0, 1)).confidence_interval()
    moved = np.clip(scores * scale + shift, shift, shift + scale)
    other = sequence(moved, bounds=(shift, shift + scale)).confidence_interval()
    expected = (one.low * scale + shift, one.high * scale + shift)
    assert other == pytest.approx(expected, abs=0.02 * scale)


def test_time_of_decision():
    found = betting_sequence([1.0] * 60, bounds=(0, 1))
    at = found.first_above(0.5)
    assert found.low[at - 1] > 0.5 >= found.low[at - 2]
    assert found.first_below(0.5) is None


@BOTH
def test_a_sequence_has_one_level(sequence):
    found = sequence([0.0, 1.0], bounds=(0, 1), level=0.9)
    assert found.confidence_interval(0.9) == found.confidence_interval()
    with pytest.raises(ParameterError):
        found.confidence_interval(0.95)


@BOTH
def test_bad_input(sequence):
    assert sequence([], bounds=(0, 1)) == Undefined(reason="no episode was scored", n=0)
    with pytest.raises(MalformedInput):
        sequence([0.5, math.nan], bounds=(0, 1))
    with pytest.raises(MalformedInput):
        sequence([2.0], bounds=(0, 1))
    with pytest.raises(ParameterError):
        sequence([2.0], bounds=(0, math.inf))


@BOTH
def test_mean_stays_inside_at_every_look(sequence):
    rng = np.random.default_rng(7)
    wrong = 0
    for _ in range(100):
        found = sequence((rng.random(100) < 0.1).astype(float), bounds=(0, 1), level=0.9)
        wrong += bool(np.any((found.low > 0.1) | (found.high < 0.1)))
    assert wrong <= 10


@given(level=st.floats(0.5, 0.999), looks=st.integers(1, 9))
def test_the_errors_of_all_looks_add_up_to_the_error(level, looks):
    assert looks * (1 - level_at_looks(level, looks)) == pytest.approx(1 - level)


@given(rate=st.floats(0.001, 0.9), power=st.floats(0.5, 0.999))
def test_the_least_number_of_trials_that_shows_an_event(rate, power):
    trials = trials_to_see(rate, power=power)
    assert 1 - (1 - rate) ** trials >= power - 1e-9
    assert trials == 1 or 1 - (1 - rate) ** (trials - 1) < power


def test_there_is_a_look_and_a_rate():
    with pytest.raises(ParameterError, match="looks"):
        level_at_looks(0.95, 0)
    with pytest.raises(ParameterError):
        trials_to_see(0.0)
