"""Groups larger than the episodes at hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Undefined, live_group_share, live_group_share_at_least


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=7), st.integers(2, 9))
def test_the_share_at_least_counts_all_groups_of_what_there_is(scores, size):
    found = live_group_share_at_least(scores, ["a"] * len(scores), group_size=size)
    groups = list(itertools.combinations(scores, min(size, len(scores))))
    assert found.estimate == pytest.approx(np.mean([len(set(group)) > 1 for group in groups]))
    if size <= len(scores):
        whole = live_group_share(scores, ["a"] * len(scores), group_size=size)
        assert found.estimate == pytest.approx(whole.estimate)
        assert found.confidence_interval() == (whole.confidence_interval().low, 1.0)


def test_the_share_at_least_takes_tasks_of_every_size():
    found = live_group_share_at_least([0, 1, 1, 1, 1, 0, 0, 1, 5], list("aabbbcccd"), group_size=4)
    assert found.lower.per_task.tolist() == [1.0, 0.0, 1.0]
    assert (found.n, found.lower.left_out) == (3, 1)
    assert found.method == "Gaffke, over tasks, a lower bound"
    assert isinstance(live_group_share_at_least([1, 2], "ab", group_size=4), Undefined)
