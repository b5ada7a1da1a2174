"""Ranks with ties."""

from metrics import Undefined, proportion, rank


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
