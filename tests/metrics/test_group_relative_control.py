"""What the metrics foretell of group-relative training, held against training where all is known.

Each task is a bandit of two arms, one right. A policy takes the right one with a known chance, a
verifier accepts right and wrong with known chances, and the policy gradient is worked out
group by group. Tolerances are four standard errors of what is drawn.
"""

import math

import numpy as np
import pytest

from metrics import (
    learnability,
    learnable_share,
    live_group_share,
    verifier_quality,
    zero_signal_fraction,
)

TASKS, GROUPS, GROUP = 40, 250, 8
SURE = 4.0
"""Standard errors: one such test in sixteen thousand fails by chance, and seeds are fixed."""


class Bandits:
    """Tasks with a policy of one number each, the log-odds of the right arm."""

    def __init__(self, chances, *, accepts_right: float, accepts_wrong: float, seed: int) -> None:
        self.odds = np.log(np.asarray(chances) / (1 - np.asarray(chances)))
        self.rates = accepts_wrong, accepts_right
        self.rng = np.random.default_rng(seed)

    @property
    def chances(self):
        return 1 / (1 + np.exp(-self.odds))

    @property
    def paid(self):
        """Return the chance of a reward in each task."""
        wrong, right = self.rates
        return wrong + (right - wrong) * self.chances

    def roll(self, groups: int):
        """Return what was taken and what was paid, shape `(tasks, groups, group)`."""
        shape = (self.odds.size, groups, GROUP)
        right = self.rng.random(shape) < self.chances[:, None, None]
        return right, self.judge(right)

    def judge(self, right):
        return (self.rng.random(right.shape) < np.where(right, *reversed(self.rates))).astype(float)

    def updates(self, groups: int):
        """Return each group's policy gradient: mean of advantage times (taken less expected)."""
        right, reward = self.roll(groups)
        advantage = reward - reward.mean(axis=2, keepdims=True)
        return (advantage * (right - self.chances[:, None, None])).mean(axis=2)


def spread_of_chances() -> np.ndarray:
    return np.random.default_rng(7).beta(0.6, 0.9, size=TASKS).clip(0.01, 0.99)


@pytest.mark.parametrize(
    ("accepts_right", "accepts_wrong"), [(1.0, 0.0), (0.8, 0.1), (0.3, 0.3), (0.2, 0.7)]
)
def test_groups_are_silent_as_often_as_foretold(accepts_right: float, accepts_wrong: float) -> None:
    bandits = Bandits(
        spread_of_chances(), accepts_right=accepts_right, accepts_wrong=accepts_wrong, seed=1
    )
    _, validation = bandits.roll(4)  # 32 rollouts a task, before any training
    tasks = np.repeat(np.arange(TASKS), 4 * GROUP)
    foretold = zero_signal_fraction(validation.ravel(), tasks, group_size=GROUP)
    truth = bandits.paid**GROUP + (1 - bandits.paid) ** GROUP

    updates = bandits.updates(GROUPS)
    _, reward = bandits.roll(GROUPS)
    silent = np.ptp(reward, axis=2) == 0
    error = math.sqrt(float(np.mean(truth * (1 - truth))) / (TASKS * GROUPS))
    assert silent.mean() == pytest.approx(truth.mean(), abs=SURE * error)
    # of 32 rollouts the share is told without bias, at least as surely as four groups tell it
    few = math.sqrt(float(np.mean(truth * (1 - truth))) / (TASKS * 4))
    assert foretold.estimate == pytest.approx(truth.mean(), abs=SURE * few)
    low, high = foretold.confidence_interval()
    assert low <= truth.mean() <= high
    assert np.mean(updates == 0.0) >= silent.mean() - SURE * 2 * error


def test_a_silent_group_moves_nothing_and_every_live_one_of_mixed_actions_does() -> None:
    bandits = Bandits([0.5] * TASKS, accepts_right=1.0, accepts_wrong=0.0, seed=2)
    right, reward = bandits.roll(GROUPS)
    advantage = reward - reward.mean(axis=2, keepdims=True)
    update = (advantage * (right - 0.5)).mean(axis=2)
    silent = np.ptp(reward, axis=2) == 0
    assert np.abs(update[silent]).max() == 0.0
    assert np.abs(update[~silent]).min() >= (GROUP - 1) / GROUP**2


@pytest.mark.parametrize(
    ("accepts_right", "accepts_wrong", "sign"),
    [(0.9, 0.2, 1), (0.55, 0.45, 1), (0.4, 0.4, 0), (0.45, 0.55, -1), (0.2, 0.9, -1)],
)
def test_the_first_drift_is_what_youdens_j_says(
    accepts_right: float, accepts_wrong: float, sign: int
) -> None:
    bandits = Bandits(
        np.linspace(0.1, 0.9, TASKS),
        accepts_right=accepts_right, accepts_wrong=accepts_wrong, seed=3,
    )  # fmt: skip
    j = accepts_right - accepts_wrong
    chances = bandits.chances
    foretold = float(np.mean((GROUP - 1) / GROUP * j * chances * (1 - chances)))
    updates = bandits.updates(GROUPS)
    error = float(updates.std(axis=1, ddof=1).mean()) / math.sqrt(updates.size)
    assert updates.mean() == pytest.approx(foretold, abs=SURE * error)
    assert np.sign(round(foretold, 12)) == sign
    if sign:
        assert np.sign(updates.mean()) == sign
        assert abs(updates.mean()) > SURE * error, "too few groups to tell the sign"


@pytest.mark.parametrize(
    ("accepts_right", "accepts_wrong", "expected"), [(0.9, 0.1, 1), (0.4, 0.4, 0), (0.1, 0.9, -1)]
)
def test_training_ends_on_the_side_of_j(
    accepts_right: float, accepts_wrong: float, expected: int
) -> None:
    rate, updates, each = 1.0, 60, 4
    bandits = Bandits([0.5] * 200, accepts_right=accepts_right, accepts_wrong=accepts_wrong, seed=4)
    for _ in range(updates):
        bandits.odds = bandits.odds + rate * bandits.updates(each).mean(axis=1)
    moved = float(bandits.odds.mean())
    # at J = 0 a step has the variance r(1 - r) p(1 - p) (G - 1) / G^2, at most, by group
    most = accepts_wrong * (1 - accepts_wrong) / 4 * (GROUP - 1) / GROUP**2
    error = rate * math.sqrt(updates * most / each / 200)
    if expected:
        assert expected * moved > 1.0
        assert float(np.mean(expected * bandits.odds > 0)) > 0.95
    else:
        assert abs(moved) < SURE * error


@pytest.mark.parametrize("j", [0.8, 0.4, 0.0])
def test_scoring_again_tells_noise_from_signal_where_learnability_does_not(j: float) -> None:
    right_rate, wrong_rate = 0.5 + j / 2, 0.5 - j / 2
    bandits = Bandits([0.5] * TASKS, accepts_right=right_rate, accepts_wrong=wrong_rate, seed=5)
    right, first = bandits.roll(40)
    second = bandits.judge(right)
    tasks = np.repeat(np.arange(TASKS), 40 * GROUP)
    # every reward is right half the time: all three environments look equally worth it
    assert learnability(first.ravel(), tasks, threshold=1.0).estimate == pytest.approx(
        0.25, abs=0.005
    )
    assert live_group_share(first.ravel(), tasks, group_size=GROUP).estimate > 0.99
    walks = np.arange(tasks.size)
    share = learnable_share(
        np.concatenate([first.ravel(), second.ravel()]),
        np.concatenate([tasks, tasks]),
        np.concatenate([walks, walks]),
    )
    # the correlation of two scorings of one trajectory: J^2 p (1 - p) over r (1 - r)
    error = 1 / math.sqrt(tasks.size)
    assert share.estimate == pytest.approx(j**2, abs=SURE * error)
    found = verifier_quality(
        int(first[right].sum()), int(right.sum()), int(first[~right].sum()), int((~right).sum())
    )
    assert found.estimate == pytest.approx(j, abs=SURE * math.sqrt(2 / right.sum()))
    assert (found.lower_bound() > 0) == (j > 0)
