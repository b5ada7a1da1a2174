"""Replay agreement."""

import numpy as np
import pytest

from metrics import MalformedInput, Undefined, replay_agreement


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
