"""Ranks with ties, and the best few."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import ParameterError, Undefined, proportion, rank, select_best


def test_clear_and_tied_places():
    found = rank(
        {
            "best": proportion(98, 100),
            "good": proportion(50, 100),
            "also": proportion(48, 100),
            "poor": proportion(1, 100),
            "none": Undefined(reason="no episode", n=0),
        }
    )
    places = [(one.name, one.place, one.lowest) for one in found]
    assert places == [("best", 1, 1), ("good", 2, 3), ("also", 2, 3), ("poor", 4, 4)]


def test_order_is_by_the_lower_bound_not_by_the_estimate():
    found = rank({"lucky": proportion(3, 3), "tested": proportion(80, 100)})
    assert [one.name for one in found] == ["tested", "lucky"]
    assert [one.place for one in found] == [1, 1]


def test_intervals_are_wide_enough_for_all_at_once():
    shares = {str(at): proportion(20 + at, 100) for at in range(5)}
    assert rank(shares)[0].interval == shares["4"].confidence_interval(0.99)
    assert rank({}) == []


def test_the_best_few_are_sure_where_nobody_may_be_better():
    found = select_best(
        {
            "best": proportion(98, 100),
            "good": proportion(60, 100),
            "poor": proportion(10, 100),
            "none": proportion(0, 100),
        },
        2,
    )
    assert (found.chosen, found.undecided) == (("best", "good"), frozenset())


def test_only_those_at_the_border_are_undecided():
    shares = {
        "best": proportion(98, 100),
        "good": proportion(52, 100),
        "also": proportion(48, 100),
        "poor": proportion(1, 100),
    }
    found = select_best(shares, 2)
    assert found.chosen == ("best", "good")
    assert found.undecided == {"good", "also"}
    low, high = shares["good"].confidence_interval(1 - 0.05 / 4)
    assert found.intervals["good"] == (low, high)
    gap = shares["also"].confidence_interval(1 - 0.05 / 4).high - low
    assert select_best(shares, 2, tolerance=gap).undecided == frozenset()
    assert select_best(shares, 2, tolerance=gap - 1e-9).undecided == {"good", "also"}


def test_few_episodes_do_not_win_by_luck_and_are_played_on():
    found = select_best({"lucky": proportion(3, 3), "tested": proportion(80, 100)}, 1)
    assert (found.chosen, found.undecided) == (("tested",), {"lucky", "tested"})


def test_all_are_chosen_where_there_are_no_more():
    shares = {"a": proportion(1, 2), "b": proportion(2, 2)}
    for count in (2, 5):
        found = select_best(shares, count)
        assert (set(found.chosen), found.undecided) == ({"a", "b"}, frozenset())
    assert select_best({}, 1).chosen == ()


@pytest.mark.parametrize(("count", "tolerance"), [(0, 0.0), (1, -0.1), (1, float("nan"))])
def test_a_count_or_tolerance_that_makes_no_sense_is_refused(count, tolerance):
    with pytest.raises(ParameterError):
        select_best({"a": proportion(1, 2)}, count, tolerance=tolerance)


@given(
    st.dictionaries(
        st.text("abc", min_size=1), st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1
    ),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.1]),
)
def test_where_nothing_is_undecided_no_other_may_be_better(counts, count, tolerance):
    shares = {name: proportion(hits, hits + more + 1) for name, (hits, more) in counts.items()}
    found = select_best(shares, count, tolerance=tolerance)
    assert len(found.chosen) == min(count, len(shares))
    others = set(shares) - set(found.chosen)
    crossing = [
        (one, other)
        for one in found.chosen
        for other in others
        if found.intervals[other].high > found.intervals[one].low + tolerance
    ]
    assert bool(crossing) == bool(found.undecided)
    assert {name for pair in crossing for name in pair} <= found.undecided
