"""Item-rest correlation."""

import numpy as np
import pytest
from scipy import stats

from metrics import Undefined, item_rest_correlation


def test_item_rest_correlation_matches_numpy():
    table = np.random.default_rng(0).random((24, 5))
    found = item_rest_correlation(table)
    for at in range(5):
        rest = np.delete(table, at, axis=1).mean(axis=1)
        assert found[at].estimate == pytest.approx(np.corrcoef(table[:, at], rest)[0, 1])
        without = [
            np.corrcoef(np.delete(table[:, at], agent), np.delete(rest, agent))[0, 1]
            for agent in range(24)
        ]
        assert found[at].without == pytest.approx(np.array(without))
        pseudo = 24 * np.arctanh(found[at].estimate) - 23 * np.arctanh(without)
        ends = stats.t.interval(0.9, 23, np.arctanh(found[at].estimate), stats.sem(pseudo))
        assert found[at].confidence_interval(0.9) == pytest.approx(np.tanh(ends))


def test_item_rest_correlation_is_refused_an_interval_where_one_agent_decides():
    table = np.random.default_rng(0).random((24, 4))
    few = item_rest_correlation(table[:19])[0]
    assert few.confidence_interval() == (-1.0, 1.0)
    assert few.method == "none: 19 agents, 20 are needed for an interval"
    table[:, 0] = 0.0
    table[3, 0] = 1.0
    one = item_rest_correlation(table)[0]
    assert one.confidence_interval() == (-1.0, 1.0)
    assert one.method.startswith("none: one agent alone")
    table[3, 0] = 0.0
    assert item_rest_correlation(table)[0] == Undefined(
        reason="the task's score does not vary", n=24
    )
    assert isinstance(item_rest_correlation(table[:3]), Undefined)
