"""Replay agreement."""

import numpy as np
import pytest

from metrics import (
    MalformedInput,
    Undefined,
    channel_agreement,
    condition_agreement,
    replay_agreement,
)


@pytest.mark.parametrize(("n", "bound"), [(8, 0.312), (59, 0.0495), (1, 0.95)])
def test_clean_replays_bound_the_flake_rate(n, bound):
    found = replay_agreement([True] * n)
    assert found.estimate == 1.0
    assert found.flake_bound(0.95) == pytest.approx(bound, abs=5e-4)
    assert found.flake_bound(0.95) == pytest.approx(1 - 0.05 ** (1 / n))


def test_a_differing_replay_raises_the_bound():
    found = replay_agreement(np.array([True, False, True, True]))
    assert (found.estimate, found.n) == (0.75, 4)
    assert found.flake_bound(0.95) == pytest.approx(0.7514, abs=1e-4)
    assert found.confidence_interval(0.95) == pytest.approx((0.1941, 0.9937), abs=1e-4)


def test_no_replay_is_undefined():
    assert replay_agreement([]) == Undefined(reason="no episode was replayed", n=0)


@pytest.mark.parametrize("agree", [[1, 0], [True, None], "yes", [[True]]])
def test_other_than_truth_values_is_refused(agree):
    with pytest.raises(MalformedInput):
        replay_agreement(agree)


def test_channels_agree_each_for_itself():
    one = [{"observation": {"id": 1, "x": 1}, "reward": 0.0}, {"observation": 2, "reward": 1.0}]
    other_id = [{"observation": {"id": 2, "x": 1}, "reward": 0.0}, one[1]]
    other_reward = [one[0], {"observation": 2, "reward": 0.5}]
    pairs = [(one, one), (one, other_id), (one, other_reward)]
    found = channel_agreement(pairs)
    assert {name: (one.successes, one.n) for name, one in found.items()} == {
        "observation": (2, 3),
        "reward": (2, 3),
    }
    assert channel_agreement(pairs, ignore={"identity"})["observation"].estimate == 1.0
    assert channel_agreement([]) == {}


def test_a_channel_that_some_pairs_lack_is_counted_in_the_others():
    found = channel_agreement([([{"reward": 1}], [{"reward": 1}]), ([{"error": "x"}], [{}])])
    assert (found["reward"].n, found["error"].n, found["error"].successes) == (1, 1, 0)


def test_conditions_are_held_against_the_baseline():
    found = condition_agreement(
        {
            "fresh": [True] * 40,
            "reused": [True] * 20 + [False] * 20,
            "loaded": [True] * 39 + [False],
            "later": [],
        },
        baseline="fresh",
    )
    assert set(found) == {"fresh", "reused", "loaded"}
    assert found["fresh"].p_value is None
    assert found["reused"].p_value < 1e-5
    assert found["loaded"].p_value == pytest.approx(0.5)
    missing = condition_agreement({"reused": [True]}, baseline="fresh")
    assert missing == Undefined(reason="no episode was replayed under fresh", n=0)
