"""A learning curve has a slope where something was learned, and none where starts only differ."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import ArrayLike

from metrics import MalformedInput, Undefined
from metrics.learning import LearningSlope, curve, learning_slope


def slope_of(scores: ArrayLike, starts: Sequence[int], turn: int) -> LearningSlope:
    found = learning_slope(scores, range(np.size(scores)), starts, turn=turn)
    assert isinstance(found, LearningSlope)
    return found


def test_a_straight_rise_is_told_in_score_per_hundred_episodes() -> None:
    scores = [0.01 * episode for episode in range(100)]
    found = slope_of(scores, [0] * 100, 1)
    assert found.estimate == pytest.approx(1.0)
    assert found.confidence_interval() == pytest.approx((1.0, 1.0))
    assert (found.n, found.turns) == (100, 100)
    assert slope_of(scores, [0, 1] * 50, 2).estimate == pytest.approx(1.0, rel=0.02)


def test_starts_of_unequal_worth_do_not_look_like_learning() -> None:
    """The better start is missing from the first half: its scores only come later."""
    scores = [0.0] * 40 + [0.0, 1.0] * 20
    episodes = [2 * turn for turn in range(40)] + [
        80 + 2 * turn + start for turn in range(20) for start in (0, 1)
    ]
    starts = ["low"] * 40 + ["low", "high"] * 20
    found = learning_slope(scores, episodes, starts, turn=2)
    assert isinstance(found, LearningSlope)
    assert found.estimate == 0.0


def test_of_curves_without_learning_one_in_forty_rises() -> None:
    rng = np.random.default_rng(1)
    rises = 0
    for _ in range(400):
        scores = rng.random(160) < 0.2
        rises += slope_of(scores.astype(float), [*range(4)] * 40, 4).confidence_interval().low > 0
    assert 2 <= rises <= 20


def test_too_little_is_undefined_and_other_lengths_are_refused() -> None:
    found = learning_slope([0.0] * 14, range(14), [0, 1] * 7, turn=2)
    assert isinstance(found, Undefined)
    assert "7 turns" in found.reason
    assert isinstance(learning_slope([], [], [], turn=1), Undefined)
    with pytest.raises(MalformedInput):
        learning_slope([1.0, 2.0], [0], [0, 0], turn=1)


def test_a_curve_is_the_mean_of_equal_parts() -> None:
    assert curve([0, 1, 1, 1], [0, 1, 2, 3], points=2) == [(2, 0.5), (4, 1.0)]
    assert curve([5.0], [9], points=2) == [(10, 5.0)]
    assert curve([], []) == []
