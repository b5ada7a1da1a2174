"""How far the reward tells good from bad."""

import pytest

from metrics import MalformedInput, Undefined, corrected_success, proportion, verifier_quality


def test_j_is_the_difference_of_two_rates():
    found = verifier_quality(18, 20, 5, 20)
    assert found.estimate == pytest.approx(0.65)
    assert found.lower_bound(0.95) == pytest.approx(found.confidence_interval(0.9).low)
    assert 0.3 < found.lower_bound(0.95) < 0.65


def test_a_perfect_verifier_on_few_submissions_is_not_sure():
    assert verifier_quality(3, 3, 0, 3).lower_bound(0.95) < 0.15
    assert verifier_quality(60, 60, 0, 60).lower_bound(0.95) > 0.9


def test_missing_sides_are_undefined():
    assert isinstance(verifier_quality(0, 0, 0, 3), Undefined)
    assert isinstance(verifier_quality(1, 1, 0, 0), Undefined)
    with pytest.raises(MalformedInput):
        verifier_quality(2, 1, 0, 1)


def test_noise_is_taken_out_of_the_success_rate():
    quality = verifier_quality(90, 100, 20, 100)
    found = corrected_success(55, 100, quality)
    assert found.estimate == pytest.approx((0.55 - 0.2) / 0.7)
    low, high = found.confidence_interval()
    assert low < 0.5 < high
    plain = proportion(55, 100).confidence_interval()
    assert high - low > plain.high - plain.low


def test_all_successes_behind_a_noisy_verifier_may_be_half():
    quality = verifier_quality(100, 100, 50, 100)
    assert corrected_success(75, 100, quality).estimate == pytest.approx(0.5)


def test_a_verifier_that_may_be_worthless_says_nothing():
    unsure = verifier_quality(3, 5, 2, 5)
    assert corrected_success(50, 100, unsure).confidence_interval() == (0.0, 1.0)
    assert isinstance(corrected_success(50, 100, verifier_quality(2, 5, 3, 5)), Undefined)
    assert isinstance(corrected_success(0, 0, unsure), Undefined)
